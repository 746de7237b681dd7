/** A project outside of the repository that has both libraries installed from their archives, without network. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Artefact } from '../../deploy/package/archives.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)

/** Packages that the libraries may depend on. An archive of each is made from the repository's copy. */
const DEPENDENCIES = ['@noble/ciphers', '@noble/curves', '@noble/hashes', '@scure/base', 'valibot']

/** Installs the artefacts with npm into a new folder, as a user would, and returns the folder. */
export const installed = async (artefacts: readonly Artefact[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-consumer-'))
  const archives = join(folder, 'archives')
  await mkdir(archives)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  for (const { name, bytes } of artefacts) await writeFile(join(archives, name), bytes)
  const npm = ['--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
  const sources = DEPENDENCIES.map(name => join(root, 'node_modules', name))
  const { stdout } = await run('npm', ['pack', ...npm, '--silent', '--pack-destination', archives, ...sources])
  const names = [...stdout.trim().split('\n'), ...artefacts.map(({ name }) => name)]
  await run('npm', ['install', ...npm, ...names.map(name => join(archives, name))], { cwd: folder })
  return folder
}

/** Runs an ES module in the folder with plain Node, and returns its output. Rejects if it fails. */
export const runProgram = async (folder: string, path: string): Promise<string> =>
  (await run(process.execPath, [join(folder, path)], { cwd: folder, env: { NO_COLOR: '1' } })).stdout

type Compilation = {
  /** The package with the compiler. */
  compiler: 'typescript' | '@typescript/native'
  sources: string
  built: string
  resolution: 'nodenext' | 'bundler'
}

/**
 * Compiles `sources` of the folder into `built` with strict checks, including all libraries' types. Rejects with the
 * errors.
 */
export const compile = async (folder: string, { compiler, sources, built, resolution }: Compilation): Promise<void> => {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    types: [],
    rootDir: sources,
    outDir: built,
  }
  const config = join(folder, `tsconfig-${built}.json`)
  await writeFile(config, JSON.stringify({ compilerOptions, include: [`${sources}/**/*.ts`] }))
  await run(process.execPath, [join(root, 'node_modules', compiler, 'bin/tsc'), '-p', config]).catch(({ stdout }) => {
    throw new Error(stdout)
  })
}
