/** A client with its data and its breakable connection to the relay. The test controls all of them. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Line, openLine } from './breakable-connection.ts'
import { openChannel } from './channel.ts'
import type { News } from './client-interfaces.ts'
import type { Face, Kind } from './clients.ts'

export type Peer<Acts> = Pick<Line, 'cut' | 'mend'> & {
  /** Actions of the client. Each rejects if its process exits first. */
  acts: Acts
  /** Returns the oldest unread event with this name, or waits for the next one. Rejects if the process exits first. */
  next: <Name extends keyof News>(name: Name) => Promise<News[Name]>
  /** Stops the client's process, as a phone stops an app. Rejects if it had already exited. */
  close: () => Promise<void>
  /** Restarts the client with its stored data. */
  open: () => Promise<void>
  /** Closes the client for good. */
  dispose: () => Promise<void>
  /** Returns other hosts that the client tried to reach. */
  refused: () => string[]
}

export type PeerOptions = {
  /** Port of the relay. */
  port: number
  /** Folder for its data. */
  folder: string
  env?: Readonly<Record<string, string>>
  /** Returns the relay's URL for the client on another port, for example with TLS. */
  urlAt?: (port: number) => string
}

const plainUrl = (port: number): string => `ws://127.0.0.1:${port}`

/** Starts a client. */
export const openPeer = async <K extends Kind>(
  kind: K,
  { port, folder, env = {}, urlAt = plainUrl }: PeerOptions,
): Promise<Peer<Face<K>>> => {
  await mkdir(folder)
  const refusals = join(folder, 'refusals')
  const line = await openLine(port)
  const started = { kind, relayUrl: urlAt(line.port), folder: join(folder, 'data') }
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
