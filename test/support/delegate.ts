/** The contract whose code runs batches in one transaction, on a local chain. */
import type { JsonRpcProvider } from 'ethers'
import { BATCH_DELEGATE } from '../../extension/src/messages.ts'
import { BATCH_DELEGATE_CODE } from '../../extension/src/wallet/transactions/batch-delegate.fixture.ts'

/** Gives the contract's address its published code. */
export const putDelegate = async (chain: JsonRpcProvider): Promise<void> => {
  await chain.send('anvil_setCode', [BATCH_DELEGATE, BATCH_DELEGATE_CODE])
}
