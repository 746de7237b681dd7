/** The lock file of this checkout. */
import { readFileSync } from 'node:fs'
import type { Lock } from './sbom.ts'

export const lock: Lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).packages
