/**
 * Runs every shell block of the documents in a clone of the working tree and compares its output with the documented
 * output. Blocks that cannot be run are listed here with the reason.
 */
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { STARTS } from '../../deploy/site/navigation.ts'
import { documentPaths } from '../../deploy/site/sources.ts'
import { read } from '../house/sources.ts'
import { approveLink, decideNext, openHeadless } from '../session/headless.ts'
import { root } from '../support/root.ts'
import { AFTERWARDS } from './afterwards.ts'
import { shellBlocks } from './blocks.ts'
import { prepareClone } from './clone.ts'
import { PATIENCE } from './shell.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const DOCUMENT_PATIENCE = 600_000

/** Blocks that are not run, by document and first line, with the reason. */
const NOT_RUN: readonly { path: string; first: string; reason: string }[] = [
  {
    path: 'docs/scaling.md',
    first: 'heliograph-relay --import /var/lib/heliograph-relay --redis-url redis://10.0.0.5:6379',
    reason: 'needs a Redis server with data: test/redis/transfer.test.ts runs these commands',
  },
  {
    path: 'docs/self-hosting.md',
    first: 'groupadd --system heliograph-tls',
    reason: 'needs root and certbot: test/faults/tls.test.ts replaces the files of a running server',
  },
  {
    path: 'docs/self-hosting.md',
    first: 'docker load --input heliograph-0.1.0-linux-amd64.oci.tar',
    reason: 'needs container engines: test/packages/image.test.ts unpacks the image and runs it',
  },
  {
    path: 'docs/packages.md',
    first: 'git clone --branch v0.1.0 https://github.com/heliograph/heliograph',
    reason: 'needs the tag and the download of a release: deploy/package tests the comparison',
  },
  {
    path: 'docs/packages.md',
    first: 'gh attestation verify heliograph-relay-0.1.0.tgz --repo heliograph/heliograph',
    reason: 'needs the provenance of a published release',
  },
  {
    path: 'docs/start-person.md',
    first: 'gh attestation verify heliograph-chromium-0.1.0.zip --repo heliograph/heliograph',
    reason: 'needs the provenance of a published release',
  },
  {
    path: 'docs/start-person.md',
    first: 'npm start',
    reason: 'start-developer.md has the same command and output',
  },
  {
    path: 'docs/start-person.md',
    first: 'sha256sum heliograph-chromium-0.1.0.zip',
    reason: 'needs the download of a release',
  },
]

/** Documents whose blocks need root or another machine. Stand-ins replace these programs. */
const ELSEWHERE: Record<string, { standIns: readonly string[]; folders: readonly string[] }> = {
  'docs/self-hosting.md': {
    standIns: ['docker', 'systemctl', 'npm', 'npx', 'curl', 'heliograph-relay'],
    folders: ['/usr/local/lib/', '/etc/'],
  },
  'docs/runbook.md': {
    standIns: [
      ...['systemctl', 'journalctl', 'heliograph-relay', 'redis-cli', 'curl', 'openssl', 'jq'],
      ...['df', 'du', 'ss', 'grep', 'mv', 'cp'],
    ],
    folders: [],
  },
  'docs/scaling.md': { standIns: ['kubectl'], folders: [] },
}

let folder: string
let git: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'))
  git = await prepareClone(folder)
}, DOCUMENT_PATIENCE)
afterAll(() => rm(folder, { recursive: true, force: true }))

const open = (path: string): Promise<Terminal> =>
  openTerminal({
    home: join(folder, path.replace(/\W/g, '-')),
    env: git,
    ...(ELSEWHERE[path] ?? { standIns: ['docker'], folders: [] }),
  })

const firstLine = (script: string): string => script.split('\n')[0] ?? ''
const isNotRun = (path: string, script: string): boolean =>
  NOT_RUN.some(each => each.path === path && each.first === firstLine(script))

/** Acts as a user with a wallet on this relay: pastes the link, and approves the session and the signature. */
const pairWith = async (relay: string, output: () => string): Promise<void> => {
  const wallet = await openHeadless({ relays: [`ws://${relay}`] })
  try {
    const link = await vi.waitFor(
      () => {
        const [found] = /wc:\S+/.exec(output()) ?? []
        if (found === undefined) throw new Error(`the output has no link:\n${output()}`)
        return found
      },
      { timeout: PATIENCE },
    )
    await approveLink(wallet, link)
    await decideNext(wallet, true)
    await vi.waitFor(() => expect(output()).toMatch(/^Signed: 0x[0-9a-f]{130}$/m), { timeout: PATIENCE })
  } finally {
    wallet.drop()
  }
}

/** Actions of a user while a document's server runs, by the server's command. */
const MEETINGS: Record<string, (relay: string, output: () => string) => Promise<unknown>> = {
  'node pair.mjs': pairWith,
}

/**
 * Prepares a machine as self-hosting.md expects it: the repository, the folder of the units, and the installed
 * packages.
 */
const prepareMachine = ({ home }: Terminal): void => {
  mkdirSync(join(home, 'etc/systemd/system'), { recursive: true })
  cpSync(join(folder, 'origin'), join(home, 'heliograph'), { recursive: true })
  for (const name of ['heliograph-relay', 'heliograph-bridge']) {
    const unit = `${name}/${name}.service`
    mkdirSync(join(home, 'usr/local/lib/node_modules', name), { recursive: true })
    cpSync(join(root, `deploy/${name}.service`), join(home, 'usr/local/lib/node_modules', unit))
  }
}

const documents = documentPaths().map(path => ({ path, text: read(path), blocks: shellBlocks(read(path)) }))

test('every quick start has commands, and the other documents with commands are listed', () => {
  const withBlocks = documents.filter(({ blocks }) => blocks.length > 0).map(({ path }) => path)
  const known = [...STARTS.pages, ...Object.keys(ELSEWHERE), ...NOT_RUN.map(({ path }) => path)]
  expect(withBlocks).toEqual([...new Set(known)].toSorted())
})

test('every block that is listed as not run exists', () => {
  const blocks = documents.flatMap(({ path, blocks }) =>
    blocks.map(({ script }) => ({ path, first: firstLine(script) })),
  )
  expect(NOT_RUN.filter(({ path, first }) => !blocks.some(each => each.path === path && each.first === first))).toEqual(
    [],
  )
})

test.each(documents.filter(({ blocks, path }) => blocks.some(({ script }) => !isNotRun(path, script))))(
  'the commands of $path run as documented',
  { timeout: DOCUMENT_PATIENCE },
  async ({ path, blocks }) => {
    const terminal = await open(path)
    const { shell, adapted, relay } = terminal
    if (path in ELSEWHERE) prepareMachine(terminal)
    try {
      for (const block of blocks.filter(({ script }) => !isNotRun(path, script)).map(adapted)) {
        const meet = MEETINGS[block.script]
        if (block.kind === 'sh') await shell.run(block)
        else await shell.start(block, meet && (output => meet(relay, output)))
      }
      await AFTERWARDS[path]?.(terminal)
    } finally {
      await shell.stop()
    }
  },
)
