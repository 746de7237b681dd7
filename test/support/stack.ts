/**
 * Starts everything that a wallet connects to, and stops it in reverse order: local chain, relay, bridge, demo site.
 */
import { join } from 'node:path'
import { startSite } from '../dapp/server.ts'
import { startAnvil } from './anvil.ts'
import { startServer } from './server.ts'

/** Parts of a stack in the order in which they start. */
export const parts = ['chain', 'relay', 'bridge', 'site'] as const
export type Part = (typeof parts)[number]

export type Stack = {
  /** URL of each part. */
  urls: Record<Part, string>
  /** Resolves with the name and the last output of a part that exited without being stopped. */
  failed: Promise<string>
  /** Stops every part. Resolves once all have exited. */
  stop(): Promise<void>
}

export type StackOptions = {
  /** Folder for the data of the chain, the relay and the bridge. */
  dataDir: string
  /** Port of each part; a free port by default. */
  ports?: Partial<Record<Part, number>>
}

type Running = { url: string; ended: Promise<string>; stop(): Promise<unknown> }

/** Starts all parts. If one fails, stops the earlier parts and throws its error. */
export const startStack = async ({ dataDir, ports = {} }: StackOptions): Promise<Stack> => {
  const start: Record<Part, () => Promise<Running>> = {
    chain: () => startAnvil({ port: ports.chain ?? 0, args: ['--state', join(dataDir, 'chain.json')] }),
    relay: () => startServer('relay-server', { port: ports.relay ?? 0, dataDir: join(dataDir, 'relay') }),
    bridge: () => startServer('bridge-server', { port: ports.bridge ?? 0, dataDir: join(dataDir, 'bridge') }),
    site: () => startSite({ port: ports.site ?? 0, peers: urlsOf(running) }),
  }
  const running = new Map<Part, Running>()
  const stop = async () => {
    for (const part of [...running.values()].reverse()) await part.stop()
  }
  try {
    for (const part of parts) running.set(part, await start[part]())
  } catch (error) {
    await stop()
    throw error
  }
  return { urls: urlsOf(running), failed: firstEnd(running), stop }
}

const urlsOf = (running: ReadonlyMap<Part, Running>) =>
  Object.fromEntries([...running].map(([part, { url }]) => [part, url])) as Record<Part, string>

const firstEnd = (running: ReadonlyMap<Part, Running>): Promise<string> =>
  Promise.race([...running.values()].map(({ ended }) => ended))
