/** Contracts in viem's chain definitions: Multicall3, ENS, and OP Stack bridges. */
import type { Chain } from 'viem/chains'
import { LISTED_CHAINS } from './chains.ts'
import { at, type Entry, entry, type Label, propertiesOf } from './entries.ts'

/** Contracts on the chain itself, by viem's key. */
const OWN: Readonly<Record<string, readonly [protocol: string, label: Label]>> = {
  multicall3: ['Multicall3', ['multicall', 'multicall']],
  ensRegistry: ['ENS', ['registry', 'names']],
  ensUniversalResolver: ['ENS', ['universal resolver', 'names']],
  l2StandardBridge: ['OP Stack', ['L2StandardBridge', 'bridge']],
  l2CrossDomainMessenger: ['OP Stack', ['L2CrossDomainMessenger', 'bridge']],
  l2Erc721Bridge: ['OP Stack', ['L2ERC721Bridge', 'bridge']],
  l2ToL1MessagePasser: ['OP Stack', ['L2ToL1MessagePasser', 'bridge']],
}

/** Contracts on the chain's L1, by viem's key. */
const ON_L1: Readonly<Record<string, Label>> = {
  l1StandardBridge: ['L1StandardBridge', 'bridge'],
  portal: ['OptimismPortal', 'bridge'],
  l2OutputOracle: ['L2OutputOracle', 'other'],
}

/** Returns the network's name as its bridges use it: "Optimism", not "OP Mainnet". */
const networkName = ({ name }: Chain): string => (name === 'OP Mainnet' ? 'Optimism' : name.replace(/ Mainnet$/, ''))

const l1Entries = (chain: Chain): readonly Entry[] =>
  Object.entries(ON_L1).flatMap(([key, label]) =>
    propertiesOf(at(chain.contracts, key)).flatMap(([l1, contract]) =>
      entry(l1, at(contract, 'address'), networkName(chain), label),
    ),
  )

const ownEntries = (chain: Chain): readonly Entry[] =>
  Object.entries(OWN).flatMap(([key, [protocol, label]]) =>
    entry(chain.id, at(chain.contracts, key, 'address'), protocol, label),
  )

/** Returns viem's contracts on all listed chains. */
export const viemEntries = (): readonly Entry[] =>
  LISTED_CHAINS.flatMap(chain => [...ownEntries(chain), ...l1Entries(chain)])
