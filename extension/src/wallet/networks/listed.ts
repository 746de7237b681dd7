/** The catalogue of well-known networks that ships with the wallet. */
import type { ListedNetwork } from '../../messages.ts'

/** Loads the catalogue. Its entries are not used, and its nodes not contacted, unless the user chooses them. */
export type ListedNetworks = () => Promise<readonly ListedNetwork[]>
