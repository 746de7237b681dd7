/**
 * The process of one client. It exits on request, when its channel closes, or after an uncaught error of the client.
 */
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Asked, Started, Told } from './channel.ts'
import { clients } from './clients.ts'

const send = (told: Told): void => {
  process.send?.(told)
}

/** These clients often throw values that are not an `Error`. */
const messageOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown ? `${thrown.message}` : `${thrown}`

const { kind, ...options }: Started = JSON.parse(process.argv[2] ?? '')
const client = await clients[kind](options, (name, news) => send({ name, news }))

process.on('message', async ({ id, act, params }: Asked) => {
  try {
    const perform: (params: unknown) => Promise<unknown> = Reflect.get(client, act)
    send({ id, result: await perform(params) })
  } catch (thrown) {
    send({ id, error: messageOf(thrown) })
  }
})

/**
 * True while writes are in progress. The process waits for them before it exits, because no client can read a
 * half-written file: clients write in the background, in two steps.
 */
const isWriting = (): boolean => process.getActiveResourcesInfo().some(name => /^(FSReq|CloseReq)/.test(name))

const end = async (): Promise<void> => {
  while (isWriting()) await endOfTurn()
  process.exit()
}
for (const event of ['SIGTERM', 'disconnect']) process.once(event, end)
send({ isReady: true })
