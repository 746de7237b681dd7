/** A client in its own process, which can connect only to this machine. It executes actions and reports events. */
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
  /** Rejects if the action fails, or if the process exits before its response. */
  ask: (act: string, params: unknown) => Promise<unknown>
  /** Returns the oldest unread event with this name, or waits for the next one. Rejects if the process exits first. */
  next: (name: keyof News) => Promise<unknown>
  /** Stops the process. Rejects if it had already exited, for example because of an uncaught error. */
  end: () => Promise<void>
}

const WORDS_KEPT = 5000

/**
 * Makes sign-client 2.17 use the package ws. After 35 seconds without a push, 2.17 calls a method of its socket that
 * only ws has, but it prefers Node's own WebSocket where Node has one, as Node 22 does.
 */
const FLAGS: Partial<Record<Kind, readonly string[]>> = { 'sign-client 2.17': ['--no-experimental-websocket'] }

const run = async (started: Started, env: NodeJS.ProcessEnv): Promise<ChildProcess> =>
  fork(await scriptOf('client-process'), [JSON.stringify(started)], {
    cwd: root,
    execArgv: [...(FLAGS[started.kind] ?? []), '--import', await scriptOf('loopback')],
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

/** Stores unread events and pending reads. */
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
 * Starts a client. It writes hosts beyond this machine that it tries to reach to the file REFUSALS. Resolves once it
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
    throw new Error(`${started.kind} exited with ${code ?? signal}: ${said.trim()}`)
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
      // An error while sending is ignored, because the exit of the process rejects the call.
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
