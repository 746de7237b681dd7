/** A client, its data and its line to the relay, each in the test's hands. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Line, openLine } from './breakable-connection.ts'
import { openChannel } from './channel.ts'
import type { News } from './client-interfaces.ts'
import type { Face, Kind } from './clients.ts'

export type Peer<Acts> = Pick<Line, 'cut' | 'mend'> & {
  /** Actions of the client. Each rejects if its process ends first. */
  acts: Acts
  /** The oldest news of that name that was not taken yet, or else the next. Fails when the process ends before. */
  next: <Name extends keyof News>(name: Name) => Promise<News[Name]>
  /** Ends its process, as a telephone ends an application. Fails when it had ended by itself. */
  close: () => Promise<void>
  /** Starts it again with the data that it has kept. */
  open: () => Promise<void>
  /** Closes it for good. */
  dispose: () => Promise<void>
  /** Hosts beyond this machine that it asked for, and was refused. */
  refused: () => string[]
}

export type PeerOptions = {
  /** Port of the relay. */
  port: number
  /** For its data. */
  folder: string
  env?: Readonly<Record<string, string>>
}

/** Starts a client. */
export const openPeer = async <K extends Kind>(
  kind: K,
  { port, folder, env = {} }: PeerOptions,
): Promise<Peer<Face<K>>> => {
  await mkdir(folder)
  const refusals = join(folder, 'refusals')
  const line = await openLine(port)
  const started = { kind, relayUrl: line.url, folder: join(folder, 'data') }
  const start = () => openChannel(started, { ...env, REFUSALS: refusals })
  let channel = await start()

  return {
    acts: new Proxy({} as Face<K>, { get: (_, act) => (params: unknown) => channel.ask(String(act), params) }),
    next: async <Name extends keyof News>(name: Name) => (await channel.next(name)) as News[Name],
    cut: line.cut,
    mend: line.mend,
    close: () => channel.end(),
    open: async () => {
      channel = await start()
    },
    dispose: async () => {
      await channel.end()
      await line.close()
    },
    refused: () => (existsSync(refusals) ? [...new Set(readFileSync(refusals, 'utf8').trim().split('\n'))] : []),
  }
}
