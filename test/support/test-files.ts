/** The repository's test files, and the files that run in a process of their own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const SOURCES = ['shared/src', 'relay-server/src', 'bridge-server/src', 'extension/src', 'deploy']
const NEEDS_OWN_PROCESS = /\bvi\.mock\(|\bvi\.spyOn\(globalThis\b|\bheapUsed\b/
const HAS_GENERATED_CASES = /'fast-check'|\/support\/seed\.ts'|\/support\/fuzz-cases\.ts'|\/mailbox-contract\.ts'/

const testsIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts'))
    .map(path => join(folder, path))

/** Paths of all test files beside the sources, relative to the repository. */
export const unitFiles: readonly string[] = SOURCES.flatMap(testsIn)

const contains = (pattern: RegExp) => (path: string) => pattern.test(readFileSync(join(root, path), 'utf8'))

const allFiles = [...unitFiles, ...testsIn('test')]

/**
 * Files that need a process of their own. They replace a module, watch a global function or measure the heap, and files
 * that share a process share all of these.
 */
export const isolatedFiles: readonly string[] = allFiles.filter(contains(NEEDS_OWN_PROCESS))

/** All other files. They share processes. */
export const sharingFiles: readonly string[] = allFiles.filter(path => !isolatedFiles.includes(path))

/** Unit test files with generated cases, which differ in each run of `npm run test:all`. */
export const generatedUnitFiles: readonly string[] = unitFiles.filter(contains(HAS_GENERATED_CASES))
