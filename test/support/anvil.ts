/** Starts anvil, a local Ethereum node from its npm package, for tests and the demo. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

export type Anvil = {
  /** The node's JSON-RPC endpoint, over HTTP and WebSocket. */
  url: string
  /** Resolves with the exit code or signal once the process has exited, for whatever reason. */
  ended: Promise<string>
  /** Stops the process. Resolves once it has exited. */
  stop(): Promise<void>
}

export type AnvilOptions = {
  /** Port to listen on. 0, the default, picks a free port. */
  port?: number
  chainId?: number
  /** Further command line arguments, e.g. `['--no-mining']`. */
  args?: readonly string[]
}

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }
const LISTENING = /^Listening on (\S+)\n/m

/**
 * Returns the path of the native binary. The package's launcher is not used: on a signal, it exits before its child.
 */
const binary = (): string => {
  const { platform, arch } = process
  const name = platform === 'win32' ? 'anvil.exe' : 'anvil'
  return createRequire(import.meta.url).resolve(
    `@foundry-rs/anvil-${platform}-${ARCHITECTURES[arch] ?? arch}/bin/${name}`,
  )
}

/** Starts anvil on 127.0.0.1 and waits until it listens. Rejects with its output if it does not start. */
export const startAnvil = async ({ port = 0, chainId = 31337, args = [] }: AnvilOptions = {}): Promise<Anvil> => {
  const child = spawn(binary(), ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const end = () => child.kill()
  process.once('exit', end)
  exited.finally(() => process.off('exit', end)).catch(() => {})

  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk
      const match = LISTENING.exec(said)
      if (match?.[1] !== undefined) resolve(match[1])
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    exited.then(([code]) => reject(new Error(`anvil exited with code ${code}: ${said.trim()}`)), reject)
  })
  // anvil logs every call. Its output is read and dropped, because a full pipe would block it.
  for (const output of [child.stdout, child.stderr]) output.removeAllListeners('data').resume()

  return {
    url: `http://${address}`,
    ended: exited.then(([code, signal]) => `anvil exited with ${code ?? signal}`),
    stop: async () => {
      end()
      await exited
    },
  }
}
