/** A real chain for tests and the demo: anvil from its npm package, one process, which `stop` ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

export type Anvil = {
  /** Its JSON-RPC endpoint, HTTP and WebSocket. */
  url: string
  /** Resolves with the exit code or signal when the process has ended for any reason. */
  ended: Promise<string>
  /** Stops the process. Resolves when it has ended. */
  stop(): Promise<void>
}

export type AnvilOptions = {
  /** 0, the default, takes any free port. */
  port?: number
  chainId?: number
  /** Further command line arguments, e.g. `['--no-mining']`. */
  args?: readonly string[]
}

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }
const LISTENING = /^Listening on (\S+)\n/m

/** The native binary, because the package's launcher ends on a signal before its child does. */
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
    exited.then(([code]) => reject(new Error(`anvil ended with code ${code}: ${said.trim()}`)), reject)
  })
  // Its log of every call is read and dropped, or the pipe would fill and block it.
  for (const output of [child.stdout, child.stderr]) output.removeAllListeners('data').resume()

  return {
    url: `http://${address}`,
    ended: exited.then(([code, signal]) => `anvil ended with ${code ?? signal}`),
    stop: async () => {
      end()
      await exited
    },
  }
}
