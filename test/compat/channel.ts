/** A client in its own process, which can connect to this machine only. It executes actions and reports events. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../support/root.ts'
import { scriptOf } from '../support/server-scripts.ts'
import type { News } from './client-interfaces.ts'
import type { Kind, Options } from './clients.ts'

export type Started = Options & { kind: Kind }
export type Asked = { id: number; act: string; params: unknown }
export type Answered = { id: number; result?: unknown; error?: string }
export type Told = { isReady: true } | Answered | { name: keyof News; news: unknown }

export type Channel = {
  /** Rejects if the action fails, or if the process ends before its response. */
  ask: (act: string, params: unknown) => Promise<unknown>
  /** The oldest unread event of that name, or the next one. Rejects if the process ends first. */
  next: (name: keyof News) => Promise<unknown>
  /** Ends the process. Rejects if it had already ended, for example because of an uncaught error. */
  end: () => Promise<void>
}

const WORDS_KEPT = 5000

/**
 * After 35 seconds without a push, 2.17 calls a function of its socket that only the package ws has. It prefers Node's own
 * WebSocket, which Node 22 brings.
 */
const FLAGS: Partial<Record<Kind, readonly string[]>> = { 'sign-client 2.17': ['--no-experimental-websocket'] }

const run = async (started: Started, env: NodeJS.ProcessEnv): Promise<ChildProcess> =>
  fork(await scriptOf('client-process'), [JSON.stringify(started)], {
    cwd: root,
    execArgv: [...(FLAGS[started.kind] ?? []), '--import', await scriptOf('loopback')],
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

/** Unread events, and pending reads. */
const createInbox = () => {
  let pieces: { name: keyof News; news: unknown }[] = []
  let takers: { name: keyof News; take: (news: unknown) => void }[] = []
  return {
    put: (name: keyof News, news: unknown): void => {
      const taker = takers.find(other => other.name === name)
      takers = takers.filter(other => other !== taker)
      if (taker) taker.take(news)
      else pieces.push({ name, news })
    },
    take: (name: keyof News): Promise<unknown> =>
      new Promise(take => {
        const piece = pieces.find(other => other.name === name)
        pieces = pieces.filter(other => other !== piece)
        if (piece) take(piece.news)
        else takers.push({ name, take })
      }),
  }
}

/**
 * Starts a client. Hosts that it tries to reach beyond this machine are written to the file REFUSALS. Resolves when it
 * accepts actions.
 */
export const openChannel = async (started: Started, env: NodeJS.ProcessEnv): Promise<Channel> => {
  const child = await run(started, env)
  const closed = once(child, 'close')
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output?.on('data', chunk => {
      said = (said + chunk).slice(-WORDS_KEPT)
    })
  const gone = closed.then(([code, signal]): never => {
    throw new Error(`${started.kind} ended with ${code ?? signal}: ${said.trim()}`)
  })
  gone.catch(() => undefined)

  const inbox = createInbox()
  const answers = new Map<number, (answer: Answered) => void>()
  const ready = new Promise<void>(resolve => {
    child.on('message', (told: Told) => {
      if ('isReady' in told) resolve()
      else if ('name' in told) inbox.put(told.name, told.news)
      else answers.get(told.id)?.(told)
    })
  })
  await Promise.race([ready, gone])

  return {
    ask: async (act, params) => {
      const id = answers.size
      const answered = new Promise<Answered>(resolve => answers.set(id, resolve))
      // A failure to send shows as the end of the process.
      child.send({ id, act, params } satisfies Asked, () => undefined)
      const { result, error } = await Promise.race([answered, gone])
      if (error !== undefined) throw new Error(`${started.kind} could not ${act}: ${error}`)
      return result
    },
    next: name => Promise.race([inbox.take(name), gone]),
    end: async () => {
      if (!child.connected) await gone
      child.kill()
      const [code] = await closed
      if (code !== 0) await gone
    },
  }
}
