/** Makes npm packages of the relay and the bridge, without dependencies: two scripts each, and the native code. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bridgeProgram } from '../../bridge-server/src/program.ts'
import { relayProgram } from '../../relay-server/src/program.ts'
import type { Rows } from '../../shared/src/server/process/config.ts'
import { type Package, tgz } from './archives.ts'
import { foldersOf } from './folders.ts'
import { LICENCES, licencesOf } from './licences.ts'
import { lock } from './lock.ts'
import { manualOf } from './manual.ts'
import { nativeLicences } from './native-licences.ts'
import { packagesOf } from './sbom.ts'
import { bundleServer, SERVER_SCRIPT } from './server-bundle.ts'

/** Platforms of the native code (Linux with the GNU C library, and macOS), and the ABI versions of Node 20 and 22. */
const PLATFORMS = ['linux_x64', 'linux_arm64', 'darwin_x64', 'darwin_arm64']
const NODE_ABIS = [115, 127]

/** The npm package that has the native code. */
const NATIVE = 'node_modules/uWebSockets.js'

type Server = { kind: 'relay' | 'bridge'; prefix: string; rows: Rows; summary: string; description: string }

const servers: readonly Server[] = [
  {
    kind: 'relay',
    prefix: relayProgram.service.prefix,
    rows: relayProgram.rows,
    summary: 'relay for remote sessions of wallets',
    description:
      'A WebSocket JSON-RPC relay with a durable mailbox, for sites and wallets that speak the v2 protocol. It stores messages in one folder, or in Redis, until their recipients have acknowledged them.',
  },
  {
    kind: 'bridge',
    prefix: bridgeProgram.service.prefix,
    rows: bridgeProgram.rows,
    summary: 'bridge for remote sessions of v1 wallets',
    description:
      'A WebSocket bridge with a durable queue, for sites and wallets that speak the v1 protocol. It stores frames in one folder, or in Redis, until they have arrived.',
  },
]

const file = (path: string): Buffer => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)))
const text = (words: string): Buffer => Buffer.from(words)

const nativeCode = PLATFORMS.flatMap(platform => NODE_ABIS.map(abi => `uws_${platform}_${abi}.node`))

const packageJson = (name: string, version: string, { summary }: Server) => ({
  name,
  version,
  description: `Heliograph ${summary}`,
  license: 'Apache-2.0',
  type: 'module',
  bin: { [name]: `${name}.js` },
  man: [`./${name}.1`],
  engines: { node: '>=20.19' },
  os: ['linux', 'darwin'],
  cpu: ['x64', 'arm64'],
})

const packageOf = async (server: Server): Promise<Package> => {
  const { kind, summary, description, prefix, rows } = server
  const name = `heliograph-${kind}`
  const { version } = JSON.parse(`${file(`${kind}-server/package.json`)}`)
  const { start, serve, modules } = await bundleServer(kind, version)
  const manual = manualOf({ name, version, summary, description, prefix, rows })
  const contents = new Map<string, Uint8Array>([
    ['package.json', text(`${JSON.stringify(packageJson(name, version, server), null, 2)}\n`)],
    [`${name}.js`, text(start)],
    [SERVER_SCRIPT, text(serve)],
    [`${name}.1`, text(manual)],
    [`${name}.service`, file(`deploy/${name}.service`)],
    ['README.md', file(`${kind}-server/README.md`)],
    ['LICENSE', file('LICENSE')],
    [LICENCES, text(licencesOf(foldersOf(modules), nativeLicences()))],
    ...nativeCode.map(path => [`bin/${path}`, file(`${NATIVE}/dist/bin/${path}`)] as const),
  ])
  const packed = new Map([...contents].map(([path, bytes]) => [`package/${path}`, bytes]))
  const archive = { name: `${name}-${version}.tgz`, bytes: tgz(packed, new Set([`package/${name}.js`])) }
  return { archive, packages: packagesOf(modules, lock) }
}

const packagesOfServers = async (): Promise<readonly Package[]> => {
  const packages: Package[] = []
  for (const server of servers) packages.push(await packageOf(server))
  return packages
}

let made: Promise<readonly Package[]> | undefined

/** Makes both packages, once in a process. */
export const serverPackages = (): Promise<readonly Package[]> => {
  made ??= packagesOfServers()
  return made
}
