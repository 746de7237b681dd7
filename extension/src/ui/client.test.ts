import { expect, test } from 'vitest'
import type { ToUi, UiCall, UiState } from '../messages.ts'
import { CallError, CONNECTION_LOST, createClient, type UiPort } from './client.svelte.ts'

const state: UiState = {
  phase: 'locked',
  accounts: [],
  hiddenAccounts: [],
  phrases: [],
  selected: null,
  networks: [],
  chainId: 1,
  requests: [],
  waiting: [],
  autoLockMinutes: 15,
  task: null,
}

/** A background that answers nothing by itself. Each connection is one line. */
const background = () => {
  const lines: { calls: UiCall[]; send(message: ToUi): void; drop(): void }[] = []
  const opened: (() => void)[] = []
  const connect = (): UiPort => {
    let listen: (message: unknown) => void = () => {}
    let lost: () => void = () => {}
    const calls: UiCall[] = []
    lines.push({ calls, send: message => listen(message), drop: () => lost() })
    for (const resolve of opened.splice(0)) resolve()
    return {
      post: message => void calls.push(message as UiCall),
      onMessage: listener => {
        listen = listener
      },
      onDisconnect: listener => {
        lost = listener
      },
    }
  }
  const line = (at: number) => {
    const found = lines[at]
    if (!found) throw new Error(`line ${at} was not opened`)
    return found
  }
  return { connect, line, nextLine: () => new Promise<void>(resolve => opened.push(resolve)) }
}

test('the client asks for the state and follows what is pushed', async () => {
  const { connect, line } = background()
  const client = createClient(connect)
  expect(client.state).toBeNull()
  const [asked] = line(0).calls
  expect(asked).toMatchObject({ method: 'getState' })
  line(0).send({ id: asked?.id ?? 0, result: state })
  await Promise.resolve()
  expect(client.state).toEqual(state)
  line(0).send({ state: { ...state, phase: 'unlocked' } })
  expect(client.state?.phase).toBe('unlocked')
})

test('answers go to their calls, in any order; an error is a CallError', async () => {
  const { connect, line } = background()
  const client = createClient(connect)
  const balance = client.call('getBalance', { address: '0x', chainId: 1 })
  const unlock = client.call('unlock', { password: 'wrong' })
  const [, first, second] = line(0).calls
  line(0).send({ id: second?.id ?? 0, error: { code: 4100, message: 'That password is not right.' } })
  line(0).send({ id: first?.id ?? 0, result: '0x1' })
  await expect(unlock).rejects.toEqual(new CallError(4100, 'That password is not right.'))
  await expect(balance).resolves.toBe('0x1')
})

test('when the worker dies, open calls fail, a new line is opened and the state asked for again', async () => {
  const { connect, line, nextLine } = background()
  const client = createClient(connect)
  const call = client.call('lock', null)
  const reopened = nextLine()
  line(0).drop()
  await expect(call).rejects.toMatchObject({ code: CONNECTION_LOST })
  await reopened
  expect(line(1).calls).toMatchObject([{ method: 'getState' }])
  const again = client.call('lock', null)
  line(1).send({ id: line(1).calls[1]?.id ?? 0, result: null })
  await expect(again).resolves.toBeNull()
})
