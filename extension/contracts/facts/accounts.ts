/** ERC-4337 entry points. They have the same addresses on all chains except ZK Stack chains. */
import { entryPoint06Address, entryPoint07Address, entryPoint08Address } from 'viem/account-abstraction'
import { abstract, zksync } from 'viem/chains'
import { LISTED_CHAINS } from '../chains.ts'
import { type FactGroup, onEach } from './fact.ts'

const chainIds = LISTED_CHAINS.map(({ id }) => id).filter(id => id !== zksync.id && id !== abstract.id)

export const ACCOUNT_FACTS: readonly FactGroup[] = [
  {
    protocol: 'ERC-4337',
    source: 'https://github.com/eth-infinitism/account-abstraction/releases',
    contracts: onEach(chainIds, [
      [entryPoint06Address, 'EntryPoint 0.6', 'entry-point'],
      [entryPoint07Address, 'EntryPoint 0.7', 'entry-point'],
      [entryPoint08Address, 'EntryPoint 0.8', 'entry-point'],
    ]),
  },
]
