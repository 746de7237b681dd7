import { expect, test, vi } from 'vitest'
import type { ToUi, UiCall, UiMethod, UiMethods, UiPort, UiState } from '../../messages.ts'
import { startWallet } from '../../wallet/wallet.fixture.ts'
import { CANCELLED, CallError, CONNECTION_LOST, createClient } from './client.svelte.ts'

const state: UiState = {
  phase: 'locked',
  passkeys: [],
  accounts: [],
  hiddenAccounts: [],
  phrases: [],
  contacts: [],
  selected: null,
  networks: [],
  networkList: { order: 'added', hidden: [] },
  chainId: 1,
  assets: [],
  sites: [],
  requests: [],
  waiting: [],
  muted: [],
  activity: [],
  looks: [],
  unseen: 0,
  looksByItself: true,
  resetChains: [],
  remote: { relays: [], pairings: [], refused: [], proposals: [], sessions: [] },
  autoLockMinutes: 15,
  safety: { asksPassword: false, allowsUnreadable: true, allowsForeignSignIn: false, readsOffchainNames: false },
  currency: null,
  reset: [],
  unreadable: [],
  task: null,
}

/** Returns a background that never responds by itself. `line(n)` is the nth connection. */
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

test('the client has the reason if the background refuses to open the data', () => {
  const { connect, line } = background()
  const client = createClient(connect)
  expect(client.refusal).toBeNull()
  const refusal = { code: 4100, reason: 'dataNewer', values: { version: '2.0.0' } }
  line(0).send({ refusal })
  expect([client.state, client.refusal]).toEqual([null, refusal])
})

test('the client has the state that the background sent last', () => {
  const { connect, line } = background()
  const client = createClient(connect)
  expect(client.state).toBeNull()
  line(0).send({ state })
  expect(client.state).toEqual(state)
  line(0).send({ state: { ...state, phase: 'unlocked' } })
  expect(client.state?.phase).toBe('unlocked')
})

const wrongPassword = { code: 4100, reason: 'wrongPassword', values: {} }

test('responses are matched to calls in any order; an error is a CallError', async () => {
  const { connect, line } = background()
  const client = createClient(connect)
  const balance = client.call('getBalance', { address: '0x', chainId: 1 })
  const unlock = client.call('unlock', { password: 'wrong' })
  const [first, second] = line(0).calls
  line(0).send({ id: second?.id ?? 0, error: wrongPassword })
  line(0).send({ id: first?.id ?? 0, result: '0x1' })
  await expect(unlock).rejects.toEqual(new CallError(wrongPassword))
  await expect(balance).resolves.toBe('0x1')
})

test('when the worker stops, pending calls fail and the client reconnects', async () => {
  const { connect, line, nextLine } = background()
  const client = createClient(connect)
  const call = client.call('lock', null)
  const reopened = nextLine()
  line(0).drop()
  await expect(call).rejects.toMatchObject({ code: CONNECTION_LOST })
  await reopened
  expect(line(1).calls).toEqual([])
  const again = client.call('lock', null)
  line(1).send({ id: line(1).calls[0]?.id ?? 0, result: null })
  await expect(again).resolves.toBeNull()
})

/** Wraps an object and all objects in it in proxies, as Svelte's state does. */
const asState = <T extends object>(value: T): T =>
  new Proxy(value, {
    get: (target, name, receiver) => {
      const member = Reflect.get(target, name, receiver)
      return typeof member === 'object' && member !== null ? asState(member) : member
    },
  })

test('every method accepts Svelte state, since messages are posted as plain data', () => {
  const { connect, line } = background()
  const client = createClient(connect)
  const params = { id: 'proposal', accounts: ['0x1'], methods: ['personal_sign'], fees: { maxFeePerGas: '0x1' } }
  const methods = Object.keys(startWallet().wallet.ui) as UiMethod[]
  expect(() => structuredClone(asState(params))).toThrow('could not be cloned')
  for (const method of methods) void client.call(method, asState(params) as unknown as UiMethods[typeof method][0])
  const posted = line(0).calls
  expect(posted.map(({ method }) => method)).toEqual(methods)
  for (const call of posted) expect(structuredClone(call).params).toEqual(params)
})

const decision = { id: 'r', approve: true, revision: 1 } as const

test('an idempotent call is sent again after the worker stopped, up to the limit', async () => {
  const { connect, line, nextLine } = background()
  const client = createClient(connect)
  const paired = client.call('pair', { uri: 'wc:' })
  const [first] = line(0).calls
  let reopened = nextLine()
  line(0).drop()
  const forgotten = client.call('forgetPairing', { id: 'other' })
  await expect(client.call('lock', null)).rejects.toMatchObject({ code: CONNECTION_LOST })
  await reopened
  expect(line(1).calls.map(({ method }) => method)).toEqual(['pair', 'forgetPairing'])
  expect(line(1).calls[0]).toEqual(first)
  line(1).send({ id: line(1).calls[1]?.id ?? 0, result: null })
  await forgotten
  line(1).send({ id: first?.id ?? 0, result: { id: 'link' } })
  expect(await paired).toEqual({ id: 'link' })
  const decided = expect(client.call('decide', decision)).rejects.toMatchObject({ code: CONNECTION_LOST })
  vi.useFakeTimers()
  for (let at = 1; at <= 6; at++) {
    reopened = nextLine()
    line(at).drop()
    await vi.advanceTimersByTimeAsync(2_000)
    await reopened
  }
  vi.useRealTimers()
  await decided
})

const confirmedState: UiState = {
  ...state,
  phase: 'unlocked',
  safety: { asksPassword: true, allowsUnreadable: true, allowsForeignSignIn: false, readsOffchainNames: false },
}
test('confirm calls at once if the password is not required', () => {
  const { connect, line } = background()
  const client = createClient(connect)
  line(0).send({ state })
  void client.confirm('decide', decision)
  expect([line(0).calls[0], client.confirming]).toMatchObject([{ method: 'decide', params: decision }, null])
})

test('confirm waits for a required password, and another can be tried', async () => {
  const { connect, line } = background()
  const client = createClient(connect)
  line(0).send({ state: confirmedState })
  const decided = client.confirm('decide', decision)
  expect(line(0).calls).toEqual([])
  const wrong = client.confirming?.act('wrong')
  line(0).send({ id: line(0).calls[0]?.id ?? 0, error: wrongPassword })
  await expect(wrong).rejects.toMatchObject({ code: 4100 })
  const right = client.confirming?.act('right')
  const last = line(0).calls[1]
  expect(last).toMatchObject({ method: 'decide', params: { ...decision, password: 'right' } })
  line(0).send({ id: last?.id ?? 0, result: null })
  await right
  expect([await decided, client.confirming]).toEqual([null, null])
})

test('a cancelled confirmation rejects with the last error, or with CANCELLED', async () => {
  const { connect, line } = background()
  const client = createClient(connect)
  line(0).send({ state: confirmedState })
  const first = client.confirm('decide', decision)
  client.confirming?.cancel()
  await expect(first).rejects.toMatchObject({ code: CANCELLED })
  const second = client.confirm('decide', decision)
  const wrong = client.confirming?.act('wrong')
  line(0).send({ id: line(0).calls[0]?.id ?? 0, error: { code: -32602, reason: 'requestExpired', values: {} } })
  await expect(wrong).rejects.toMatchObject({ reason: 'requestExpired' })
  client.confirming?.cancel()
  await expect(second).rejects.toMatchObject({ reason: 'requestExpired' })
  expect(client.confirming).toBeNull()
})
