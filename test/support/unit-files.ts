/** The test files beside the sources, and which of them run in a process of their own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const SOURCES = ['shared/src', 'relay-server/src', 'bridge-server/src', 'extension/src', 'deploy']
export const NEEDS_OWN_PROCESS = /\bvi\.mock\(|\bvi\.spyOn\(globalThis\b|\bheapUsed\b/

/** Paths of all test files beside the sources, relative to the repository. */
export const unitFiles: readonly string[] = SOURCES.flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts'))
    .map(path => join(folder, path)),
)

/**
 * Files that replace a module, which files that run after them in the same process would also get, or that watch a global
 * function or measure the heap, which other files in the same process also use.
 */
export const isolatedFiles: readonly string[] = unitFiles.filter(path =>
  NEEDS_OWN_PROCESS.test(readFileSync(join(root, path), 'utf8')),
)
