/** The packages @heliograph/evm and @heliograph/wire as a user gets them: installed, imported, compiled and bundled. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artefacts, files, LIBRARIES, manifests, own, shared, specifiersOf } from './archives.ts'
import { keptModules } from './bundle.ts'
import { compile, installed, runProgram } from './consumer.ts'
import { examplesIn } from './examples.ts'

/** Milliseconds. Compiling takes half a minute on a busy machine. */
const COMPILE_MS = 300_000

/** Packages that each library may depend on. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  evm: ['@noble/curves', '@noble/hashes'],
  wire: ['@heliograph/evm', '@noble/ciphers', '@noble/curves', '@noble/hashes', '@scure/base', 'valibot'],
}

/** Returns a program that uses all modules. */
const importsOf = (specifiers: readonly string[]): string =>
  specifiers.map((name, at) => `import * as m${at} from '${name}'\nconsole.log(m${at})\n`).join('')

let folder: string
beforeAll(async () => {
  folder = await installed(artefacts)
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs a program in the project, and parses its output. */
const evaluate = async (code: string): Promise<unknown> => {
  await writeFile(join(folder, 'program.js'), code)
  return JSON.parse(await runProgram(folder, 'program.js'))
}

describe.each(LIBRARIES)('the archive of %s', library => {
  const contents = files.get(library) ?? new Map<string, string>()
  const paths = [...contents.keys()]
  const built = paths.filter(path => path.startsWith('dist/'))

  test('has a manifest, a license, a README, and a module and its types for each source file', () => {
    expect(paths.filter(path => !built.includes(path)).toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
    const modules = built.filter(path => path.endsWith('.js')).map(path => path.slice(0, -'.js'.length))
    expect(modules.flatMap(path => [`${path}.d.ts`, `${path}.js`]).toSorted()).toEqual(built.toSorted())
    expect(paths.filter(path => path.includes('test') || path.includes('server'))).toEqual([])
  })

  test('names exact versions of the packages that it imports, and no other packages', () => {
    const imported = built.flatMap(path =>
      ts.preProcessFile(contents.get(path) ?? '', true, true).importedFiles.map(({ fileName }) => fileName),
    )
    for (const specifier of imported.filter(name => name.startsWith('.')))
      expect(contents.has(`dist/${basename(specifier)}`), specifier).toBe(true)
    const names = imported.flatMap(name => /^(?:@[^/]+\/)?[^./][^/]*/.exec(name) ?? [])
    const dependencies = manifests.get(library)?.dependencies ?? {}
    expect([...new Set(names)].toSorted()).toEqual(ALLOWED[library])
    const version = (name: string) => (name === '@heliograph/evm' ? own.version : shared.dependencies[name])
    expect(dependencies).toEqual(Object.fromEntries((ALLOWED[library] ?? []).map(name => [name, version(name)])))
  })

  test('has a manifest for bundlers, editors and Node, without wildcards', () => {
    const manifest = manifests.get(library)
    expect(manifest).toMatchObject({
      name: `@heliograph/${library}`,
      version: own.version,
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20.19' },
    })
    for (const [subpath, entry] of Object.entries(manifest?.exports ?? {})) {
      const module = subpath === '.' ? 'index' : subpath.slice(2)
      const expected = { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` }
      expect(entry).toEqual(subpath === './package.json' ? subpath : expected)
      // Order matters: the first condition that matches applies.
      if (typeof entry === 'object') expect(Object.keys(entry)).toEqual(['types', 'default'])
      for (const path of Object.values(typeof entry === 'object' ? entry : { entry }))
        expect(contents.has(path.slice(2)), path).toBe(true)
    }
  })

  test('has a doc comment for each export', () => {
    const undescribed = specifiersOf(library).flatMap(specifier => {
      const path = `dist/${specifier.split('/')[2] ?? 'index'}.d.ts`
      const file = ts.createSourceFile(path, contents.get(path) ?? '', ts.ScriptTarget.Latest, true)
      return file.statements
        .filter(statement => /^export (?:declare|interface|type \w)/.test(statement.getText()))
        .filter(statement => ts.getJSDocCommentsAndTags(statement).length === 0)
        .map(statement => `${path}: ${statement.getText().slice(0, 60)}`)
    })
    expect(undescribed).toEqual([])
  })
})

describe.each(LIBRARIES)('%s as installed by npm', library => {
  test('every export can be imported in Node, from its module and from the index, and has only one name', async () => {
    const exports = await evaluate(`
      const [index, ...modules] = await Promise.all(${JSON.stringify(specifiersOf(library))}.map(name => import(name)))
      const named = modules.flatMap(module => Object.entries(module))
      console.log(JSON.stringify({
        index: Object.keys(index),
        modules: named.map(([name]) => name).toSorted(),
        different: named.filter(([name, value]) => index[name] !== value).map(([name]) => name),
        missing: named.filter(([, value]) => value === undefined).map(([name]) => name),
      }))`)
    const { index } = exports as { index: string[] }
    expect(index.length).toBeGreaterThan(40)
    expect(exports).toEqual({ index, modules: index.toSorted(), different: [], missing: [] })
  })

  test('no other path can be imported', async () => {
    const modules = [...(files.get(library)?.keys() ?? [])].filter(path => path.endsWith('.js'))
    const hidden = modules.map(path => `@heliograph/${library}/${basename(path, '.js')}`)
    const inner = hidden.filter(name => !specifiersOf(library).includes(name))
    expect(inner.length).toBeGreaterThan(2)
    const others = [...inner, ...modules.map(path => `@heliograph/${library}/${path}`)]
    const codes = await evaluate(`
      const codeOf = name => import(name).then(() => name, error => error.code)
      console.log(JSON.stringify(await Promise.all(${JSON.stringify(others)}.map(codeOf))))`)
    expect(codes).toEqual(others.map(() => 'ERR_PACKAGE_PATH_NOT_EXPORTED'))
  })
})

test('the types of every module and the examples of the READMEs compile strictly, and the examples print the documented output', {
  timeout: COMPILE_MS,
}, async () => {
  await mkdir(join(folder, 'examples'))
  await writeFile(join(folder, 'examples/all.ts'), importsOf(LIBRARIES.flatMap(specifiersOf)))
  const examples = LIBRARIES.flatMap(library => {
    const found = examplesIn(files.get(library)?.get('README.md') ?? '')
    expect(found).toHaveLength(10)
    return found.map((example, at) => ({ ...example, path: `${library}-${at}` }))
  })
  for (const { path, code } of examples) await writeFile(join(folder, `examples/${path}.ts`), code)
  await compile(folder, { compiler: '@typescript/native', sources: 'examples', built: 'built', resolution: 'nodenext' })
  const parts = examples.map(({ path }) => `console.log('${path}')\nawait import('./built/${path}.js')\n`)
  await writeFile(join(folder, 'examples.js'), parts.join(''))
  const printed = await runProgram(folder, 'examples.js')
  expect(examples.filter(({ output }) => output.length === 0)).toEqual([])
  expect(printed.trimEnd().split('\n')).toEqual(examples.flatMap(({ path, output }) => [path, ...output]))
})

test('the types of every module resolve under bundler', { timeout: COMPILE_MS }, async () => {
  await mkdir(join(folder, 'modules'))
  await writeFile(join(folder, 'modules/all.ts'), importsOf(LIBRARIES.flatMap(specifiersOf)))
  await compile(folder, {
    compiler: 'typescript',
    sources: 'modules',
    built: 'modules-built',
    resolution: 'bundler',
  })
})

describe('a bundle keeps only what is used', () => {
  const keptOf = async (code: string) =>
    (await keptModules(folder, code)).map(path => path.replace(/^.*node_modules\//, ''))
  const ours = (paths: readonly string[]) =>
    paths.filter(path => path.startsWith('@heliograph/')).map(path => basename(path, '.js'))

  test('signMessage, from the index: no other module of the library, and no packages except noble', async () => {
    const kept = await keptOf(`import { signMessage } from '@heliograph/evm'\nconsole.log(signMessage)`)
    const modules = ['fail', 'hex', 'message', 'reasons', 'signature', 'value-error', 'value-reasons']
    expect(ours(kept).toSorted()).toEqual(modules)
    expect(new Set(kept.map(path => path.split('/')[0]))).toEqual(new Set(['@heliograph', '@noble']))
  })

  test('encodeRlp: no cryptography', async () => {
    const kept = await keptOf(`import { encodeRlp } from '@heliograph/evm'\nconsole.log(encodeRlp)`)
    expect(kept.filter(path => !path.startsWith('@heliograph/') && !path.startsWith('@noble/hashes/utils'))).toEqual([])
  })

  test('decodeJsonRpc, from the index: no schemas and no cryptography', async () => {
    const kept = await keptOf(`import { decodeJsonRpc } from '@heliograph/wire'\nconsole.log(decodeJsonRpc)`)
    expect(kept.filter(path => !path.startsWith('@heliograph/'))).toEqual([])
  })
})
