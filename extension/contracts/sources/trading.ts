/** Aggregators for exchanges and bridges, and markets for yield, perpetuals, stablecoins and predictions. */
import { at, byChainAndName, byName, type Entry, entry, type Label, onChains, propertiesOf } from '../entries.ts'
import { literalAfter } from '../literal.ts'
import type { Source } from './source.ts'

const constant = (text: string, name: string): string =>
  new RegExp(`\\b${name} = ["'](0x[0-9a-fA-F]{40})["']`).exec(text)?.[1] ?? ''

const readZeroEx: Source['read'] = async files =>
  byChainAndName(await files.json('addresses.json'), '0x', {
    exchangeProxy: ['exchange proxy', 'router'],
    exchangeProxyFlashWallet: ['flash wallet', 'router'],
    staking: ['staking', 'staking'],
    stakingProxy: ['staking proxy', 'staking'],
  })

/** Chains on which 1inch's router has its usual address, from https://portal.1inch.dev/. */
const ONE_INCH_CHAINS = [1, 10, 56, 100, 137, 146, 250, 8453, 42161, 43114, 59144, 130]

const readOneInch: Source['read'] = async files => {
  const text = await files.text('dist/esm/constants.js')
  const label: Label = ['router v6', 'router']
  return [
    ...onChains(ONE_INCH_CHAINS, constant(text, 'ONE_INCH_LIMIT_ORDER_V4'), '1inch', label),
    ...onChains([324], constant(text, 'ONE_INCH_LIMIT_ORDER_V4_ZK_SYNC'), '1inch', label),
  ]
}

const COW: readonly (readonly [constant: string, label: Label])[] = [
  ['SETTLEMENT_CONTRACT', ['settlement', 'router']],
  ['VAULT_RELAYER', ['vault relayer', 'router']],
  ['ETH_FLOW_ADDRESS', ['native coin orders', 'router']],
  ['COMPOSABLE_COW', ['composable orders', 'router']],
]

const readCow: Source['read'] = async files => {
  const text = await files.text('dist/index.js')
  const chains = [...text.matchAll(/SupportedChainId2\[SupportedChainId2\["(\w+)"\]/g)].map(([, name = '']) =>
    name.replace('GNOSIS_CHAIN', 'GNOSIS'),
  )
  return COW.flatMap(([name, label]) => onChains(chains, constant(text, name), 'CoW Protocol', label))
}

const PENDLE: Readonly<Record<string, Label>> = {
  router: ['router', 'router'],
  limitRouter: ['limit orders', 'router'],
  sPendle: ['sPENDLE', 'staking'],
  'deprecated.vePendle': ['vePENDLE', 'staking'],
}

const readPendle: Source['read'] = async files => {
  const names = (await files.list('deployments')).filter(name => name.endsWith('-core.json'))
  const read = async (name: string): Promise<readonly Entry[]> =>
    byName(name.replace('-core.json', ''), await files.json(`deployments/${name}`), 'Pendle', PENDLE)
  return (await Promise.all(names.map(read))).flat()
}

const GMX: Readonly<Record<string, Label>> = {
  ExchangeRouter: ['exchange router', 'router'],
  SyntheticsRouter: ['router', 'router'],
  SubaccountRouter: ['subaccount router', 'router'],
  GlvRouter: ['GLV router', 'router'],
  GelatoRelayRouter: ['relay router', 'router'],
  RewardRouter: ['rewards', 'staking'],
  GlpRewardRouter: ['GLP rewards', 'staking'],
  GlpManager: ['GLP manager', 'vault'],
  PositionRouter: ['v1 position router', 'router'],
  Vault: ['v1 vault', 'vault'],
  OrderVault: ['order vault', 'vault'],
  DepositVault: ['deposit vault', 'vault'],
  WithdrawalVault: ['withdrawal vault', 'vault'],
  GmxVester: ['GMX vester', 'staking'],
  StakedGmxTracker: ['staked GMX', 'staking'],
}

const readGmx: Source['read'] = async files => {
  const contracts = literalAfter(await files.text('build/esm/src/configs/contracts.js'), 'CONTRACTS =')
  return byChainAndName(contracts, 'GMX', GMX)
}

const readMento: Source['read'] = async files =>
  byChainAndName(literalAfter(await files.text('dist/esm/constants/addresses.js'), 'addresses ='), 'Mento', {
    Broker: ['broker', 'router'],
    MentoRouter: ['router', 'router'],
    Locking: ['veMENTO', 'staking'],
    MentoGovernor: ['governor', 'governance'],
  })

const readPolymarket: Source['read'] = async files =>
  byName(137, literalAfter(await files.text('dist/config.js'), 'MATIC_CONTRACTS ='), 'Polymarket', {
    exchange: ['exchange', 'marketplace'],
    negRiskExchange: ['neg risk exchange', 'marketplace'],
    negRiskAdapter: ['neg risk adapter', 'marketplace'],
    conditionalTokens: ['conditional tokens', 'marketplace'],
  })

const readCarbon: Source['read'] = async files =>
  byName(1, literalAfter(await files.text('dist/contracts-api/config/index.js'), 'const e='), 'Carbon', {
    carbonControllerAddress: ['controller', 'router'],
    voucherAddress: ['strategies', 'pool'],
  })

const readSocket: Source['read'] = async files =>
  propertiesOf(literalAfter(await files.text('addresses/index.js'), 'exports.addresses = {')).flatMap(
    ([chain, contracts]) => entry(chain, at(contracts, 'socketGateway'), 'Socket', ['gateway', 'bridge']),
  )

/**
 * Chains on which Mayan's forwarder is deployed, from https://docs.mayan.finance/. The package has a single address.
 */
const MAYAN_CHAINS = [1, 10, 56, 137, 8453, 42161, 43114]

const readMayan: Source['read'] = async files => {
  const [, forwarder = ''] = /"MAYAN_FORWARDER_CONTRACT": "(0x\w{40})"/.exec(await files.text('dist/index.js')) ?? []
  return onChains(MAYAN_CHAINS, forwarder, 'Mayan', ['forwarder', 'bridge'])
}

export const TRADING_SOURCES: readonly Source[] = [
  {
    name: '@0x/contract-addresses',
    version: '8.13.0',
    integrity: 'sha512-wWqDSPYZOu2YNDRXdIY5pfzel+w9jM3DBNjVT8o9+wdySY0X09kxHVwazIi4QL4Fa79HLN86KY5sXlfhXNBG9w==',
    read: readZeroEx,
  },
  {
    name: '@1inch/limit-order-sdk',
    version: '5.4.3',
    integrity: 'sha512-bQb/cYzYQej/ZnsAVW8p91T6mwtT/TeoESVESD8IX/jocaEABZOmdg7aYzYJMc218OJA9s76QtjKWVBUlqQLxQ==',
    read: readOneInch,
  },
  {
    name: '@cowprotocol/sdk-config',
    version: '2.4.0',
    integrity: 'sha512-NMJOqq3LfIjlFFUHd4zbx3Rc3YJl/oCklEaAxw10VHVDNMFMqcdK3tR6W9CPTILR8zAv5DDy1C2cPErXpcrzkQ==',
    read: readCow,
  },
  {
    name: '@pendle/core-v2',
    version: '6.11.0',
    integrity: 'sha512-Q7h2KaYzYl8kZKNPe5qWKHYtdToVEL9FqCH0/5ab9/H34JBdutQoqo8hcggfaPYlziOOQ79dgbWfvyzMDJNQCw==',
    read: readPendle,
  },
  {
    name: '@gmx-io/sdk',
    version: '1.4.0',
    integrity: 'sha512-Cv9xCeYViYx2tUttEYRrDST4qu6+who4+ovSGlHdDPYuRWO3/j3rY/6JmakVPwEiWyIrkXPoWaeUD8FhpsQdvw==',
    read: readGmx,
  },
  {
    name: '@mento-protocol/mento-sdk',
    version: '1.19.0',
    integrity: 'sha512-+D94LFomVDdsKchyG/+dDmv7/UfGiBCiYR35bMLqwi13u700lKDb2c1y0B4njKLdBadOVglDBkslMneFVASSkw==',
    read: readMento,
  },
  {
    name: '@polymarket/clob-client',
    version: '5.8.1',
    integrity: 'sha512-beKC4KPc9dYyFV9wFhKiGoA16q5xWz4PjkYcnEs3BzpsOKjGQGRlZQ7KQD4HQKUd3HC5RLQT0lqWHrFyaI+2fQ==',
    read: readPolymarket,
  },
  {
    name: '@bancor/carbon-sdk',
    version: '0.0.99-DEV',
    integrity: 'sha512-DrevN/ahoDqyLc8IwUC6CiGOZn7BQXz42uBc7rU0aWc3mVhp8TR9WMJi3oVDS8DaYvRIcMv5U0sa6gK5IbbgGQ==',
    read: readCarbon,
  },
  {
    name: '@socket.tech/ll-core-v2',
    version: '0.0.98',
    integrity: 'sha512-kFD2+20l5GLPhduTDb36EMjPVC5VBjxV4cKC995QqGJBUfQQF3GT5NvSOPnh80c3Gtng3v8Dr2OwtJgaceS/HQ==',
    read: readSocket,
  },
  {
    name: '@mayanfinance/swap-sdk',
    version: '12.2.5',
    integrity: 'sha512-ZPk4QF3eDdh/jv3h+2J7XUNZaT5i5ix9UeH6QX9GkBEG6NqQmdSqRapZx52Z6JZi3BR0ixMBMjsIiGZ1KdjkkA==',
    read: readMayan,
  },
]
