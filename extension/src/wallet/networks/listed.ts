/** The catalogue of well-known networks that comes with the wallet. */
import type { ListedNetwork } from '../../messages.ts'

/** Loads the catalogue. Nothing of it is used, and no node in it is contacted, unless the person chooses it. */
export type ListedNetworks = () => Promise<readonly ListedNetwork[]>
