/**
 * Makes the npm packages @heliograph/evm and @heliograph/wire. They contain a module with its types for each source
 * file. They export the modules that the sources' index.ts lists.
 */
import { readFileSync } from 'node:fs'
import { basename, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { type Package, tgz } from './archives.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = 'shared/src'

/**
 * A library. `name` is also its folder in the sources. It imports modules of the library `below` by that package's
 * name.
 */
type Library = { name: string; description: string; below?: Library }

const evm: Library = {
  name: 'evm',
  description:
    'Addresses, signatures, messages, typed data, RLP, transactions and calldata of Ethereum, strictly checked.',
}
const wire: Library = {
  name: 'wire',
  description: 'JSON-RPC frames, envelopes, client tokens and pairing links of wallets and relays, strictly checked.',
  below: evm,
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  newLine: ts.NewLineKind.LineFeed,
  skipLibCheck: true,
  rootDir: join(ROOT, SOURCES),
  outDir: '/',
}

/** Reads sources once for all compilations. */
const host = ts.createCompilerHost(options)
const readSource = host.getSourceFile
const sources = new Map<string, ts.SourceFile | undefined>()
host.getSourceFile = (path, ...others) => {
  if (!sources.has(path)) sources.set(path, readSource(path, ...others))
  return sources.get(path)
}

/**
 * Compiles a library's index and all modules that it imports, except the modules of the library below, which are compiled
 * with that library. Returns the emitted files by their path below the sources.
 */
const compile = ({ name, below }: Library): ReadonlyMap<string, string> => {
  const emitted = new Map<string, string>()
  const program = ts.createProgram([join(ROOT, SOURCES, name, 'index.ts')], options, host)
  const own = program
    .getSourceFiles()
    .filter(file => !file.isDeclarationFile)
    .filter(({ fileName }) => below === undefined || !isOf(relative(join(ROOT, SOURCES), fileName), below))
  const errors = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap(file => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
      ...program.emit(file, (path, text) => emitted.set(path.slice(1), text)).diagnostics,
    ]),
  ]
  if (errors.length > 0)
    throw new Error(
      ts.formatDiagnostics(errors, {
        getCurrentDirectory: () => ROOT,
        getCanonicalFileName: String,
        getNewLine: () => '\n',
      }),
    )
  return emitted
}

/** Returns the modules that a library exports, as paths relative to the sources, without the file extension. */
const modulesOf = ({ name }: Library): string[] => {
  const listed = read(`${SOURCES}/${name}/index.ts`).matchAll(/^export \* from '(.+)\.ts'$/gm)
  return Array.from(listed, ([, path = '']) => posix.join(name, path))
}

/** Returns the import specifiers of a built file. `pos` is the position of the opening quote. */
const importsIn = (text: string): readonly ts.FileReference[] => ts.preProcessFile(text, true, true).importedFiles

/** True if a file is in the library's folder, or if the library exports it from outside that folder. */
const isOf = (path: string, library: Library): boolean =>
  path.startsWith(`${library.name}/`) || modulesOf(library).includes(path.replace(/\.(?:d\.ts|js|ts)$/, ''))

/**
 * Returns the specifier of an import in a built file: the file beside it, or a module of the package of the library
 * below.
 */
const specifierOf = (specifier: string, path: string, below: Library | undefined): string => {
  if (!specifier.startsWith('.')) return specifier
  const target = posix.join(posix.dirname(path), specifier).replace(/\.(?:ts|js)$/, '')
  if (below === undefined || !isOf(target, below)) return `./${basename(target)}.js`
  if (modulesOf(below).includes(target)) return `@heliograph/${below.name}/${basename(target)}`
  throw new Error(`${path} imports ${target}, which ${below.name} does not export`)
}

const linked = (text: string, path: string, below: Library | undefined): string =>
  importsIn(text).reduceRight((rest, { fileName, pos }) => {
    const start = pos + 1
    return rest.slice(0, start) + specifierOf(fileName, path, below) + rest.slice(start + fileName.length)
  }, text)

/** Returns the packages that the built files import, with the versions that the workspace pins. */
const dependenciesOf = (texts: Iterable<string>, version: string): Record<string, string> => {
  const { dependencies } = JSON.parse(read('shared/package.json'))
  const specifiers = [...texts].flatMap(text => importsIn(text).map(({ fileName }) => fileName))
  const names = specifiers.flatMap(specifier => /^(?:@[^/]+\/)?[^./][^/]*/.exec(specifier) ?? [])
  const pinned = (name: string): string => (name.startsWith('@heliograph/') ? version : dependencies[name])
  return Object.fromEntries([...new Set(names)].toSorted().map(name => [name, pinned(name)]))
}

const entryOf = (module: string) => ({ types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` })

const manifestOf = (library: Library, dependencies: Record<string, string>) => {
  const { version, license, engines } = JSON.parse(read('package.json'))
  const modules = modulesOf(library)
    .map(path => basename(path))
    .toSorted()
  return {
    name: `@heliograph/${library.name}`,
    version,
    description: library.description,
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': entryOf('index'),
      ...Object.fromEntries(modules.map(module => [`./${module}`, entryOf(module)])),
      './package.json': './package.json',
    },
    files: ['dist'],
    dependencies,
  }
}

const packageOf = (library: Library, version: string): Package => {
  const built = new Map<string, string>()
  for (const [path, text] of compile(library)) built.set(`dist/${basename(path)}`, linked(text, path, library.below))
  const dependencies = dependenciesOf(built.values(), version)
  const files = new Map([
    ...built,
    ['package.json', `${JSON.stringify(manifestOf(library, dependencies), null, 2)}\n`],
    ['README.md', read(`${SOURCES}/${library.name}/README.md`)],
    ['LICENSE', read('LICENSE')],
  ])
  const contents = new Map([...files].map(([path, text]) => [`package/${path}`, new TextEncoder().encode(text)]))
  const others = Object.keys(dependencies).filter(name => !name.startsWith('@heliograph/'))
  return {
    archive: { name: `heliograph-${library.name}-${version}.tgz`, bytes: tgz(contents) },
    packages: others.map(name => `node_modules/${name}`),
  }
}

/**
 * Makes `heliograph-evm-<version>.tgz` and `heliograph-wire-<version>.tgz`. Throws Error if the sources do not compile.
 */
export const libraryPackages = async (): Promise<readonly Package[]> => {
  const { version } = JSON.parse(read('package.json'))
  return [evm, wire].map(library => packageOf(library, version))
}
