/** The Public Suffix List for tests, as the build writes it for the extension. */
import { publicSuffixes as rules } from '../../public-suffixes.ts'
import { createRegistrableDomain, type PublicSuffixes } from './registrable-domain.ts'

export const publicSuffixes: PublicSuffixes = async () => rules()
export const registrableDomain = createRegistrableDomain(new Set(rules()))
