/** Aave's address book, which has a Solidity library per market. */
import { byName, type Entry, type Label } from '../entries.ts'
import { solidityConstants } from '../literal.ts'
import type { PackageVersion } from '../packages.ts'
import type { Source } from './source.ts'

const MARKET: Readonly<Record<string, Label>> = {
  POOL: ['pool', 'lending'],
  WETH_GATEWAY: ['native coin gateway', 'lending'],
  DEFAULT_INCENTIVES_CONTROLLER: ['rewards', 'lending'],
  SWAP_COLLATERAL_ADAPTER: ['collateral swap', 'lending'],
  REPAY_WITH_COLLATERAL_ADAPTER: ['repay with collateral', 'lending'],
  DEBT_SWAP_ADAPTER: ['debt swap', 'lending'],
  WITHDRAW_SWAP_ADAPTER: ['withdraw and swap', 'lending'],
}

const ETHEREUM: readonly (readonly [file: string, labels: Readonly<Record<string, Label>>])[] = [
  ['AaveSafetyModule', { STK_AAVE: ['stkAAVE', 'staking'], STK_GHO: ['stkGHO', 'staking'] }],
  ['AaveSafetyModule', { STK_ABPT: ['stkABPT', 'staking'], STK_AAVE_WSTETH_BPTV2: ['stkABPT v2', 'staking'] }],
  ['UmbrellaEthereum', { UMBRELLA_BATCH_HELPER: ['Umbrella batch helper', 'staking'] }],
  ['UmbrellaEthereum', { UMBRELLA_REWARDS_CONTROLLER: ['Umbrella rewards', 'staking'] }],
  ['GovernanceV3Ethereum', { GOVERNANCE: ['governance', 'governance'] }],
  ['GovernanceV3Ethereum', { VOTING_MACHINE: ['voting machine', 'governance'] }],
  [
    'GhoEthereum',
    { GSM_USDC: ['GHO stability module USDC', 'lending'], GSM_USDT: ['GHO stability module USDT', 'lending'] },
  ],
]

/** Ethereum markets other than the main one, by the suffix of the library's name. */
const ETHEREUM_MARKETS: Readonly<Record<string, string>> = {
  EthereumLido: 'Prime',
  EthereumEtherFi: 'EtherFi',
  EthereumHorizon: 'Horizon',
  EthereumAMM: 'AMM',
  EthereumArc: 'Arc',
}

const titled = (title: string): Readonly<Record<string, Label>> =>
  Object.fromEntries(Object.entries(MARKET).map(([key, [name, role]]) => [key, [`${title} ${name}`, role]]))

/** Returns the entries in a market's library, such as `AaveV3Base.sol`. Empty for other libraries. */
const readMarket = (file: string, text: string): readonly Entry[] => {
  const [, version, place] = /^AaveV([23])(\w+)\.sol$/.exec(file) ?? []
  if (version === undefined || place === undefined) return []
  const market = ETHEREUM_MARKETS[place]
  const chain = market ? 'ethereum' : place
  return byName(chain, solidityConstants(text), 'Aave', titled(market ? `v${version} ${market}` : `v${version}`))
}

const read: Source['read'] = async files => {
  const names = await files.list('src')
  const markets = await Promise.all(
    names
      .filter(name => /^AaveV[23]\w+\.sol$/.test(name))
      .map(async name => readMarket(name, await files.text(`src/${name}`))),
  )
  const others = await Promise.all(
    ETHEREUM.map(async ([name, labels]) =>
      byName(1, solidityConstants(await files.text(`src/${name}.sol`)), 'Aave', labels),
    ),
  )
  return [...markets, ...others].flat()
}

/** The address book at an exact version. The catalogue of price feeds is built from it, too. */
export const AAVE_ADDRESS_BOOK: PackageVersion = {
  name: '@bgd-labs/aave-address-book',
  version: '4.44.22',
  integrity: 'sha512-25dt74TdSJxpCu++QbfRcsSlXZJ2HnktkzekVa0n97X/wNDmJx49GxzZLQI3wIAvSsY/iNRGwBMsHq/LTc1qUg==',
}

export const AAVE_SOURCES: readonly Source[] = [{ ...AAVE_ADDRESS_BOOK, read }]
