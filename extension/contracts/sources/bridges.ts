/** Bridges and messaging between chains. */
import { at, byChain, byName, type Entry, entry, type Label, propertiesOf } from '../entries.ts'
import { type Literal, literalAfter, literalsAfter } from '../literal.ts'
import type { Source } from './source.ts'

const readAcross: Source['read'] = async files =>
  propertiesOf(at(await files.json('dist/broadcast/deployed-addresses.json'), 'chains')).flatMap(([chain, deployed]) =>
    byName(chain, at(deployed, 'contracts'), 'Across', {
      'SpokePool.address': ['SpokePool', 'bridge'],
      'SpokePoolPeriphery.address': ['SpokePoolPeriphery', 'bridge'],
      'HubPool.address': ['HubPool', 'bridge'],
    }),
  )

const ARBITRUM_L1: Readonly<Record<string, Label>> = {
  inbox: ['delayed inbox', 'bridge'],
  outbox: ['outbox', 'bridge'],
  bridge: ['bridge', 'bridge'],
}
const ARBITRUM_L1_TOKENS: Readonly<Record<string, Label>> = {
  parentGatewayRouter: ['L1 gateway router', 'bridge'],
  parentErc20Gateway: ['L1 ERC-20 gateway', 'bridge'],
  parentCustomGateway: ['L1 custom gateway', 'bridge'],
  parentWethGateway: ['L1 WETH gateway', 'bridge'],
}
const ARBITRUM_L2_TOKENS: Readonly<Record<string, Label>> = {
  childGatewayRouter: ['L2 gateway router', 'bridge'],
  childErc20Gateway: ['L2 ERC-20 gateway', 'bridge'],
  childCustomGateway: ['L2 custom gateway', 'bridge'],
  childWethGateway: ['L2 WETH gateway', 'bridge'],
}

const readArbitrum: Source['read'] = async files => {
  const text = await files.text('dist/lib/dataEntities/networks.js')
  const nova = at(literalAfter(text, 'const networks ='), '42170')
  const read = (chain: number, protocol: string, ethBridge: unknown, tokenBridge: unknown) => [
    ...byName(1, ethBridge, protocol, ARBITRUM_L1),
    ...byName(1, tokenBridge, protocol, ARBITRUM_L1_TOKENS),
    ...byName(chain, tokenBridge, protocol, ARBITRUM_L2_TOKENS),
  ]
  return [
    ...read(
      42161,
      'Arbitrum',
      literalAfter(text, 'const mainnetETHBridge ='),
      literalAfter(text, 'const mainnetTokenBridge ='),
    ),
    ...read(42170, 'Arbitrum Nova', at(nova, 'ethBridge'), at(nova, 'tokenBridge')),
  ]
}

/** Converts Wormhole's lists `[['Mainnet', [[chain, address], …]], …]` to addresses by chain. */
const mainnetOf = (list: Literal): Readonly<Record<string, unknown>> => {
  const networks: readonly unknown[] = Array.isArray(list) ? list : []
  const mainnet = networks.find(network => Array.isArray(network) && network[0] === 'Mainnet')
  return Object.fromEntries(Array.isArray(mainnet) ? mainnet[1] : [])
}

const readWormhole: Source['read'] = async files => {
  const read = async (file: string) =>
    mainnetOf(literalAfter(await files.text(`dist/esm/constants/contracts/${file}.js`), 'Contracts ='))
  return [
    ...byChain(await read('tokenBridge'), 'Wormhole', ['token bridge', 'bridge']),
    ...byChain(await read('nftBridge'), 'Wormhole', ['NFT bridge', 'bridge']),
  ]
}

const readCircle: Source['read'] = async files =>
  literalsAfter(await files.text('chains.mjs'), /const (\w+) = defineChain\(/g).flatMap(([, chain]) =>
    byName(String(at(chain, 'chainId')), at(chain, 'cctp', 'contracts'), 'Circle CCTP', {
      'v2.tokenMessenger': ['TokenMessenger v2', 'bridge'],
      'v2.messageTransmitter': ['MessageTransmitter v2', 'bridge'],
      'v1.tokenMessenger': ['TokenMessenger', 'bridge'],
      'v1.messageTransmitter': ['MessageTransmitter', 'bridge'],
    }),
  )

const readAxelar: Source['read'] = async files =>
  propertiesOf(at(await files.json('info/mainnet.json'), 'chains')).flatMap(([, chain]) =>
    byName(Number(at(chain, 'chainId')), at(chain, 'contracts'), 'Axelar', {
      'InterchainTokenService.address': ['interchain token service', 'bridge'],
      'AxelarGateway.address': ['gateway', 'bridge'],
      'AxelarGasService.address': ['gas service', 'bridge'],
    }),
  )

/**
 * Chains on which deBridge is deployed, from https://docs.debridge.com/. The package has a single address for all of
 * them.
 */
const DEBRIDGE_CHAINS = [1, 10, 56, 137, 8453, 42161, 43114, 59144]

const readDeBridge: Source['read'] = async files => {
  const config = literalAfter(await files.text('dist/esm/evm/config/config.js'), 'export default')
  return DEBRIDGE_CHAINS.flatMap(chain =>
    propertiesOf(config).flatMap(([, contracts]) =>
      byName(chain, contracts, 'deBridge', {
        pmmSourceAddress: ['DlnSource', 'bridge'],
        pmmDestinationAddress: ['DlnDestination', 'bridge'],
        deBridgeGateAddress: ['gate', 'bridge'],
        crossChainForwarderAddress: ['forwarder', 'bridge'],
      }),
    ),
  )
}

const HOP: Readonly<Record<string, string>> = {
  l1Bridge: 'bridge',
  cctpL1Bridge: 'CCTP bridge',
  l2AmmWrapper: 'AMM wrapper',
  l2Bridge: 'L2 bridge',
  cctpL2Bridge: 'CCTP bridge',
  l2SaddleSwap: 'pool',
}

const readHop: Source['read'] = async files => {
  const bridges = at(literalAfter(await files.text('dist/esm/addresses/mainnet.js'), 'addresses ='), 'bridges')
  return propertiesOf(bridges).flatMap(([token, chains]) =>
    propertiesOf(chains).flatMap(([chain, contracts]): readonly Entry[] =>
      Object.entries(HOP).flatMap(([key, name]) =>
        entry(chain, at(contracts, key), 'Hop', [`${token} ${name}`, name === 'pool' ? 'pool' : 'bridge']),
      ),
    ),
  )
}

const readLinea: Source['read'] = async files => {
  const mainnet = at(literalAfter(await files.text('dist/lib/utils/networks.js'), 'NETWORKS ='), 'linea-mainnet')
  return [
    ...entry(1, at(mainnet, 'l1ContractAddress'), 'Linea', ['message service', 'bridge']),
    ...entry(59144, at(mainnet, 'l2ContractAddress'), 'Linea', ['message service', 'bridge']),
  ]
}

export const BRIDGE_SOURCES: readonly Source[] = [
  {
    name: '@across-protocol/contracts',
    version: '5.0.27',
    integrity: 'sha512-zp6BEBTDzRGEp7sNvvdRH4jBF2EuTI4RqFWVvhfkO28630Ow2hbCYeYiyTOjEOzAdqt+dn/sba9D9WirfwabWQ==',
    read: readAcross,
  },
  {
    name: '@arbitrum/sdk',
    version: '4.1.0',
    integrity: 'sha512-OIGxZj4DHROejCjSkaZEOcHhRktZGMhLAPA+Cyymlp1z7KdWaeN2DW85i6yd2Ks7QeZkv2EvwcBKOJnxoSI5tQ==',
    read: readArbitrum,
  },
  {
    name: '@wormhole-foundation/sdk-base',
    version: '6.1.5',
    integrity: 'sha512-ZKs211dUjVGc94okBmIVk/jFPtzq8a8P+OCAkxHZ9MtUyAKXnkOohe7l+Y6sQNXzpPvLuyk0QkLiaLSppDAejQ==',
    read: readWormhole,
  },
  {
    name: '@circle-fin/bridge-kit',
    version: '1.15.1',
    integrity: 'sha512-CnMoBmZJL4NXYDZ11uHxdQJ+9/h9JQSJPOXmFw0EJRn45m0NqWJFWJgyOH+1Kmt8csDOcBgNLWii4WSn3wS4qA==',
    read: readCircle,
  },
  {
    name: '@axelar-network/axelar-chains-config',
    version: '1.3.0',
    integrity: 'sha512-k633v2pJF8qPM3pDSawSqm7K4AgqmGicj2fUk0O0HwWB1jS2l/oFm+x5jB58HT64xhf8x7VB4BhdJQtMdKcOPA==',
    read: readAxelar,
  },
  {
    name: '@debridge-finance/dln-client',
    version: '8.3.6',
    integrity: 'sha512-6vLMZZpyyi/P3RktBg+kZE0fw3wBZd0AQeOJZDnO3DviEifjKHUmdpf2dzHKEYAsYTLirQLinFKop7rW1CDRFQ==',
    read: readDeBridge,
  },
  {
    name: '@hop-protocol/sdk',
    version: '0.0.41',
    integrity: 'sha512-g0dhbj9MYU2fyTROuGxrpujZwTRXOJAlyxM9SJDEzeYARjjo3fbi0Rebm3cuDsCvu+LxoMPy4aC5xezEkFsgcA==',
    read: readHop,
  },
  {
    name: '@consensys/linea-sdk',
    version: '0.3.0',
    integrity: 'sha512-rvcrsVVuVz1ZidH4S/Fp7X7T6V0A/mmYwHu7aN/jT8ILMEjW0JrVeYjDkZODj8w6aRBLlfktqPhuzaSyD8tPgw==',
    read: readLinea,
  },
]
