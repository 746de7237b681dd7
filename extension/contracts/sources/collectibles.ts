/** NFT marketplaces. */
import { at, byChain, byName, type Entry, type Label, onChains } from '../entries.ts'
import { literalAfter } from '../literal.ts'
import type { Source } from './source.ts'

/** Chains on which OpenSea's Seaport and conduit have their usual addresses, from https://docs.opensea.io/. */
const OPENSEA_CHAINS = [1, 10, 137, 130, 1329, 1868, 8453, 33139, 42161, 42170, 43114, 80094, 81457, 7777777, 11155111]

const OPENSEA: readonly (readonly [constant: string, label: Label])[] = [
  ['CROSS_CHAIN_SEAPORT_V1_6_ADDRESS', ['Seaport 1.6', 'marketplace']],
  ['CROSS_CHAIN_SEAPORT_V1_5_ADDRESS', ['Seaport 1.5', 'marketplace']],
  ['OPENSEA_CONDUIT_ADDRESS', ['conduit', 'marketplace']],
]

const readOpenSea: Source['read'] = async files => {
  const text = await files.text('lib/constants.js')
  return OPENSEA.flatMap(([name, label]) => {
    const [, address = ''] = new RegExp(`exports\\.${name} = "(0x\\w{40})"`).exec(text) ?? []
    return onChains(OPENSEA_CHAINS, address, 'OpenSea', label)
  })
}

const readLooksRare: Source['read'] = async files =>
  byName(1, literalAfter(await files.text('dist/index.cjs.js'), 'const mainnetAddresses ='), 'LooksRare', {
    EXCHANGE: ['exchange v1', 'marketplace'],
    TRANSFER_MANAGER_ERC721: ['ERC-721 transfer manager', 'marketplace'],
    TRANSFER_MANAGER_ERC1155: ['ERC-1155 transfer manager', 'marketplace'],
    FEE_SHARING_SYSTEM: ['LOOKS staking', 'staking'],
  })

const RARIBLE: Readonly<Record<string, Label>> = {
  'exchange.v1': ['exchange v1', 'marketplace'],
  'exchange.v2': ['exchange', 'marketplace'],
  'exchange.wrapper': ['exchange wrapper', 'marketplace'],
  'transferProxies.nft': ['NFT transfer proxy', 'marketplace'],
  'transferProxies.erc20': ['token transfer proxy', 'marketplace'],
  'transferProxies.erc721Lazy': ['ERC-721 lazy mint proxy', 'marketplace'],
  'transferProxies.erc1155Lazy': ['ERC-1155 lazy mint proxy', 'marketplace'],
}

const readRarible: Source['read'] = async files => {
  const names = (await files.list('build/config')).filter(name => /^[\w-]+\.js$/.test(name))
  const read = async (name: string): Promise<readonly Entry[]> => {
    const text = await files.text(`build/config/${name}`)
    if (!/Config = \{/.test(text)) return []
    const config = literalAfter(text, 'Config = {')
    const isProduction = at(config, 'environment') === 'production'
    return isProduction ? byName(String(at(config, 'chainId')), config, 'Rarible', RARIBLE) : []
  }
  return (await Promise.all(names.map(read))).flat()
}

const ZORA: Readonly<Record<string, Label>> = {
  zoraTimedSaleStrategy: ['timed sale', 'marketplace'],
  zoraCreatorFixedPriceSaleStrategy: ['fixed price sale', 'marketplace'],
  zoraCreatorMerkleMinterStrategy: ['allow list sale', 'marketplace'],
  erc20Minter: ['ERC-20 minter', 'marketplace'],
  zoraCreator1155PremintExecutorImpl: ['premint executor', 'marketplace'],
  secondarySwap: ['secondary swap', 'router'],
  protocolRewards: ['protocol rewards', 'fees'],
  coinFactory: ['coin factory', 'other'],
  comments: ['comments', 'other'],
  zoraRouter: ['router', 'router'],
}

const readZora: Source['read'] = async files => {
  const text = await files.text('src/generated/wagmi.ts')
  return Object.entries(ZORA).flatMap(([name, label]) =>
    byChain(literalAfter(text, `export const ${name}Address =`), 'Zora', label),
  )
}

export const COLLECTIBLE_SOURCES: readonly Source[] = [
  {
    name: '@opensea/seaport-js',
    version: '4.3.0',
    integrity: 'sha512-rRUiqMX9Dqo7bj+UYRZtO5mOZeRTfFQpCan21qgWCWDNno+PV7KYHsGJCWsxJc5ga84+o60uAxPP6achZE6C3g==',
    read: readOpenSea,
  },
  {
    name: '@looksrare/sdk',
    version: '0.12.1',
    integrity: 'sha512-OeSSFI7po3LVTNXqbEoiw77uYMHynxUz/VUtHFJnli8HiDeDETm/DH6IRfbjTed1l6d5IebzcZkyE5siwuVlJg==',
    read: readLooksRare,
  },
  {
    name: '@rarible/protocol-ethereum-sdk',
    version: '0.13.119',
    integrity: 'sha512-+1qOA4XhHuiauMOglpiXFn8EPdeo2H03bMaXVMSru135qlKnFwI9lEUfWgN+xprtDuu9PUZyDL20+UhX8712/w==',
    read: readRarible,
  },
  {
    name: '@zoralabs/protocol-deployments',
    version: '0.7.6',
    integrity: 'sha512-E8hkSFkpqxttSoH+GQJbcTvjnVQGL+Nlo2WXA3YSkEvzB7Xfv6JOaUxsVZ5ahj0HWD2dwTSw3AucXciIPnTWQQ==',
    read: readZora,
  },
]
