/** The test files of the repository, and which of them run in a process of their own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const SOURCES = ['shared/src', 'relay-server/src', 'bridge-server/src', 'extension/src', 'deploy']
const NEEDS_OWN_PROCESS = /\bvi\.mock\(|\bvi\.spyOn\(globalThis\b|\bheapUsed\b/

const testsIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts'))
    .map(path => join(folder, path))

/** Paths of all test files beside the sources, relative to the repository. */
export const unitFiles: readonly string[] = SOURCES.flatMap(testsIn)

const needsOwnProcess = (path: string): boolean => NEEDS_OWN_PROCESS.test(readFileSync(join(root, path), 'utf8'))

const allFiles = [...unitFiles, ...testsIn('test')]

/**
 * Files that replace a module, which files that run after them in the same process would also get, or that watch a global
 * function or measure the heap, which other files in the same process also use.
 */
export const isolatedFiles: readonly string[] = allFiles.filter(needsOwnProcess)

/** All other files, which share processes. */
export const sharingFiles: readonly string[] = allFiles.filter(path => !isolatedFiles.includes(path))
