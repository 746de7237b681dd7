/** The Public Suffix List for tests, as included in the build. */
import { publicSuffixes as readRules } from '../../../public-suffixes.ts'
import { createRegistrableDomain, type PublicSuffixes } from './registrable-domain.ts'

const rules = new Set(readRules())

export const publicSuffixes: PublicSuffixes = async () => rules
export const registrableDomain = createRegistrableDomain(rules)
