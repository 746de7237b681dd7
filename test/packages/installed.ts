/** The server packages as users have them: installed and run outside of the repository. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { serverArchives } from './made.ts'
import { programsIn } from './programs.ts'

export type Kind = 'relay' | 'bridge'

/** Returns the paths of all files below a folder, relative to it. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()

/** Builds the packages, and creates a folder with a home for their user. */
export const makePackages = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'))
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  for (const made of [home, work, join(folder, 'archives')]) mkdirSync(made)
  const archives = new Map<string, string>()
  for (const { name, bytes } of await serverArchives()) {
    const path = join(folder, 'archives', name)
    writeFileSync(path, bytes)
    archives.set(name.replace(/-\d.*$/, ''), path)
  }
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { PATH, HOME: home, npm_config_cache: join(folder, 'npm-cache'), npm_config_update_notifier: 'false' }

  const { run, serve } = programsIn(work, env)

  const archiveOf = (kind: Kind): string => archives.get(`heliograph-${kind}`) ?? ''

  /** Installs packages into a prefix, without network and without install scripts. */
  const install = async (kinds: readonly Kind[], prefix: string): Promise<void> => {
    const args = ['install', '--prefix', prefix, '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
    const { code, err } = await run('npm', [...args, ...kinds.map(archiveOf)])
    if (code !== 0) throw new Error(err)
  }

  /** Copies an installed package, so that a test can change its files. */
  const copyOf = (prefix: string, kind: Kind): string => {
    const copy = mkdtempSync(join(folder, 'copy-'))
    cpSync(join(prefix, `node_modules/heliograph-${kind}`), copy, { recursive: true })
    return copy
  }

  return {
    folder,
    work,
    archiveOf,
    install,
    copyOf,
    run,
    serve,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Packages = Awaited<ReturnType<typeof makePackages>>
