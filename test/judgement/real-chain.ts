/** A real EVM with a contract that pays out more than it receives if the transaction's gas price is zero. */
import { toQuantity } from 'ethers'
import { localChain } from '../../extension/src/wallet/networks/networks.fixture.ts'
import { type Chain, createChain } from '../../extension/src/wallet/networks/node.ts'
import { startAnvil } from '../support/anvil.ts'
import { ACCOUNT, THIEF_CONTRACT } from './addresses.ts'
import { ether } from './encode.ts'
import type { StartedChain } from './rows.ts'

/** Bytecode that sends the contract's balance to the caller if GASPRICE is zero. */
const HONEST_AT_GAS_PRICE_ZERO = '0x3a15600657005b600060006000600047335af100'

export const startThiefsChain = async (): Promise<StartedChain> => {
  const anvil = await startAnvil({ chainId: 1, args: ['--block-base-fee-per-gas', '1000000000'] })
  const ask = createChain()
  const chain: Chain = (network, method, params) => ask({ ...network, rpcUrls: [anvil.url] }, method, params)
  const set = (method: string, ...params: readonly unknown[]) => chain(localChain, method, params)
  await set('anvil_setBalance', ACCOUNT, toQuantity(ether('5')))
  await set('anvil_setBalance', THIEF_CONTRACT, toQuantity(ether('10')))
  await set('anvil_setCode', THIEF_CONTRACT, HONEST_AT_GAS_PRICE_ZERO)
  return { chain, stop: anvil.stop }
}
