/**
 * Runs `npm start`: builds the extension, starts its servers, opens Chromium with it, and stops everything on a signal.
 */
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ConfigError, integer, readConfig } from '@heliograph/shared/server/process/config'
import { bridgeRows } from '../bridge-server/src/config.ts'
import { findChromium } from '../programs.js'
import { relayRows } from '../relay-server/src/config.ts'
import { releasedExtension } from './support/build.ts'
import { openChromium } from './support/chromium.ts'
import { root } from './support/root.ts'
import { type Part, parts, type Stack, startStack } from './support/stack.ts'

const DATA = join(root, '.data')

/** The recovery phrase whose first accounts are funded on every anvil chain. */
const FUNDED_PHRASE = 'test test test test test test test test test test test junk'

/** Display name and default port of each part, and the prefix of its environment variable. */
const settings: Record<Part, { title: string; port: number; prefix: string }> = {
  chain: { title: 'local chain', port: 8545, prefix: 'CHAIN' },
  relay: { title: 'relay', port: relayRows.port.default, prefix: 'RELAY' },
  bridge: { title: 'bridge', port: bridgeRows.port.default, prefix: 'BRIDGE' },
  site: { title: 'demo site', port: 8082, prefix: 'DEMO' },
}

const readPorts = (env: NodeJS.ProcessEnv): Record<Part, number> => {
  const read = ({ title, port, prefix }: (typeof settings)[Part]) => {
    const row = { description: `Port of the ${title}.`, default: port, parse: integer(0, 65_535) }
    return readConfig(prefix, { port: row }, { args: [], env }).port
  }
  return Object.fromEntries(parts.map(part => [part, read(settings[part])])) as Record<Part, number>
}

/**
 * Throws if a port is taken. Keeps each tested port open until the end, so that a port that is set twice is found too.
 */
const requireFreePorts = async (ports: Record<Part, number>) => {
  const held: (() => void)[] = []
  try {
    for (const part of parts) held.push(await holdPort(part, ports[part]))
  } finally {
    for (const release of held) release()
  }
}

const holdPort = (part: Part, port: number): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const { title, prefix } = settings[part]
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(
          `Port ${port} of the ${title} ${error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code})`}. ` +
            `Set ${prefix}_PORT to another one.`,
        ),
      ),
    )
    server.listen(port, '127.0.0.1', () => resolve(() => server.close()))
  })

/** Stop functions of the started parts, which are called in reverse order. */
const started: (() => Promise<unknown>)[] = []

const BY_HAND = `To load the extension: open chrome://extensions in Chromium, switch on Developer mode,
choose "Load unpacked" and the folder above. Then open the demo site.`

/** Returns the reason why no browser can be opened, or undefined. */
const noBrowser = (): string | undefined => {
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'Chromium cannot open, because there is no display.'
  if (!findChromium()) return 'Chromium was not found. Install it, or set CHROMIUM_PATH to its path.'
  return undefined
}

/**
 * Opens the demo site in Chromium with the extension. If the browser does not start, prints the reason and continues.
 */
const openSite = async (extension: string, url: string): Promise<void> => {
  try {
    const context = await openChromium({ extension, profile: join(DATA, 'chromium'), headless: false })
    started.push(() => context.close())
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(url)
  } catch (error) {
    console.error(`Chromium did not open: ${String(error).split('\n')[0]}\n${BY_HAND}`)
  }
}

/** Returns the text that the demo prints: the addresses of all parts, and the next steps. */
const describe = ({ urls }: Stack, extension: string): string => {
  const row = (title: string, place: string) => `  ${title.padEnd(13)}${place}`
  const reason = noBrowser()
  return [
    'Heliograph is running. Press Ctrl-C to stop it.',
    '',
    ...parts.map(part => row(settings[part].title, urls[part])),
    row('extension', extension),
    '',
    reason ? `${reason}\n${BY_HAND}` : 'Chromium opens with the extension loaded.',
    `For an account with test coins, import the phrase "${FUNDED_PHRASE}".`,
    'The button "Use the local chain" of the demo site adds the chain to the wallet.',
  ].join('\n')
}

const start = async (): Promise<Stack> => {
  const ports = readPorts(process.env)
  await requireFreePorts(ports)
  await mkdir(DATA, { recursive: true })
  const extension = await releasedExtension()
  const stack = await startStack({ dataDir: DATA, ports })
  started.push(stack.stop)
  console.log(describe(stack, extension))
  if (noBrowser() === undefined) await openSite(extension, stack.urls.site)
  return stack
}

/** Resolves on the first signal that stops this process. */
const signalled = new Promise<void>(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
})

const failed = start().then(async stack => {
  throw new Error(await stack.failed)
})

try {
  await Promise.race([signalled, failed])
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof Error ? error.message : error)
}
for (const stop of started.reverse()) await stop()
process.exit()
