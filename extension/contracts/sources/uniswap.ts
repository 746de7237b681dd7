/** Uniswap's packages. */
import { at, byChain, byChainAndName, entry, type Label, onChains, propertiesOf } from '../entries.ts'
import { isObject, literalAfter } from '../literal.ts'
import type { Source } from './source.ts'

const UNISWAP = 'Uniswap'

const CORE: Readonly<Record<string, Label>> = {
  nonfungiblePositionManagerAddress: ['NonfungiblePositionManager', 'pool'],
  swapRouter02Address: ['SwapRouter02', 'router'],
  v3MigratorAddress: ['V3Migrator', 'pool'],
  v4PoolManagerAddress: ['v4 PoolManager', 'pool'],
  v4PositionManagerAddress: ['v4 PositionManager', 'pool'],
}

/**
 * Chains on which Uniswap v3 has the same addresses as on Ethereum. The package uses a spread, which the parser skips.
 */
const LIKE_ETHEREUM = ['MAINNET', 'OPTIMISM', 'ARBITRUM_ONE', 'POLYGON']

const chainConstants = (text: string): Readonly<Record<string, unknown>> => {
  const shared = literalAfter(text, 'const DEFAULT_ADDRESSES =')
  const read = (chain: string, constant: unknown) => {
    const own = literalAfter(text, `const ${constant} =`)
    return LIKE_ETHEREUM.includes(chain) && isObject(shared) && isObject(own) ? { ...shared, ...own } : own
  }
  const constants = propertiesOf(literalAfter(text, 'CHAIN_TO_ADDRESSES_MAP ='))
  return Object.fromEntries(constants.map(([chain, constant]) => [chain, read(chain, constant)]))
}

const readCore: Source['read'] = async files => {
  const text = await files.text('dist/esm/src/addresses.js')
  const [swapRouter02] = /0x\w{40}(?=';\s*}\s*return '')/.exec(text) ?? []
  return [
    ...byChain(literalAfter(text, 'V2_ROUTER_ADDRESSES ='), UNISWAP, ['V2 router', 'router']),
    ...byChainAndName(chainConstants(text), UNISWAP, CORE),
    ...LIKE_ETHEREUM.flatMap(chain => entry(chain, swapRouter02, UNISWAP, ['SwapRouter02', 'router'])),
    ...byChain(literalAfter(text, 'GOVERNANCE_BRAVO_ADDRESSES ='), UNISWAP, ['governor', 'governance']),
    ...byChain(literalAfter(text, 'MERKLE_DISTRIBUTOR_ADDRESS ='), UNISWAP, ['UNI claim', 'other']),
  ]
}

const readUniversalRouters: Source['read'] = async files => {
  const configs = literalAfter(await files.text('dist/esm/src/utils/constants.js'), 'CHAIN_CONFIGS =')
  return propertiesOf(configs).flatMap(([chain, config]) =>
    propertiesOf(at(config, 'routerConfigs')).flatMap(([, router]) =>
      entry(chain, at(router, 'address'), UNISWAP, ['Universal Router', 'router']),
    ),
  )
}

const REACTORS: Readonly<Record<string, Label>> = {
  Dutch: ['ExclusiveDutchOrderReactor', 'router'],
  Dutch_V2: ['V2DutchOrderReactor', 'router'],
  Dutch_V3: ['V3DutchOrderReactor', 'router'],
  Priority: ['PriorityOrderReactor', 'router'],
  Relay: ['RelayOrderReactor', 'router'],
}

const readUniswapX: Source['read'] = async files => {
  const text = await files.text('dist/cjs/src/constants.js')
  const permit2Chains = literalAfter(text, 'exports.PERMIT2_MAPPING =', 'constructSameAddressMap(')
  const own = literalAfter(text, 'exports.PERMIT2_MAPPING =', '])),')
  const [permit2 = ''] = /0x\w{40}/.exec(text.slice(text.indexOf('exports.PERMIT2_MAPPING ='))) ?? []
  const chains = [1, 137, 8453, 130, ...(Array.isArray(permit2Chains) ? permit2Chains.map(Number) : [])]
  return [
    ...byChainAndName(literalAfter(text, 'exports.REACTOR_ADDRESS_MAPPING = ', '})),'), 'UniswapX', REACTORS),
    ...onChains(chains, permit2, UNISWAP, ['Permit2', 'permit']),
    ...byChain(own, UNISWAP, ['Permit2', 'permit']),
  ]
}

export const UNISWAP_SOURCES: readonly Source[] = [
  {
    name: '@uniswap/sdk-core',
    version: '7.19.4',
    integrity: 'sha512-jV9qVMMD6qvEATgfFnZ3QgrhIMv5lullzeGPWjyC4+sUctatft+1M+OtAZxxjbFm8NQfJA73hqIeFPOg4cUyoA==',
    read: readCore,
  },
  {
    name: '@uniswap/universal-router-sdk',
    version: '5.13.0',
    integrity: 'sha512-eAk5or7kZMV2ZlVr+NN0taDOm8MQs9KMfSEwXvC4ggfufVuswux/uVk2sNFx7C69f2Pj6bXLkZHoNH4xv1eqiA==',
    read: readUniversalRouters,
  },
  {
    name: '@uniswap/uniswapx-sdk',
    version: '3.1.0',
    integrity: 'sha512-scWOSHC+bJosuZYGIX3rGTlApsEuwVKEdJ1PdHDzIpdJhOe14s4hSv3zAcbPBk9fk8b1oBjEerZeuLhI/HgcDQ==',
    read: readUniswapX,
  },
]
