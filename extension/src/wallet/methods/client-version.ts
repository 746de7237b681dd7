/** web3_clientVersion: the wallet and its version, in the form in which nodes give theirs. */
import type { Answering } from '../method.ts'

export const clientVersion: Answering = { answer: async ({ version }) => `Heliograph/v${version}` }
