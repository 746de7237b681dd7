/** web3_clientVersion: the wallet's name and version, in the format of nodes. */
import type { Answering } from '../requests/context.ts'

export const clientVersion: Answering = { answer: async ({ version }) => `Heliograph/v${version}` }
