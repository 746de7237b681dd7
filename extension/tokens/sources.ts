/** The packages from which the catalogue of tokens is built, in order of precedence. Their licence is MIT. */
import { chainIdOf } from '../contracts/chains.ts'
import { at, propertiesOf } from '../contracts/entries.ts'
import { isObject, literalAfter } from '../contracts/literal.ts'
import type { PackageFiles, PackageVersion } from '../contracts/packages.ts'
import { AAVE_ADDRESS_BOOK } from '../contracts/sources/aave.ts'
import type { TokenEntry } from './catalogue.ts'

export interface TokenSource extends PackageVersion {
  readonly read: (files: PackageFiles) => Promise<readonly TokenEntry[]>
}

/**
 * Bridged coins that the sources call USDC, by chain and address. The address book's Solidity libraries call these
 * `USDC` and the native coin `USDCn`; sushi marks its ones with the comment `USDC.e`.
 */
const BRIDGED: readonly string[] = [
  '10 0x7f5c764cbc14f9669b88837ca1490cca17c31607',
  '137 0x2791bca1f2de4661ed88a30c99a7a9449aa84174',
  '324 0x3355df6d4c9c3035724fd0e3914de96a5a83aaf4',
  '42161 0xff970a61a04b1ca14834a43f5de4533ebddb5cc8',
]

const entryOf = (chain: number | string, address: unknown, symbol: unknown, decimals: unknown): TokenEntry[] => {
  const chainId = chainIdOf(chain)
  if (chainId === undefined || typeof address !== 'string' || typeof symbol !== 'string') return []
  const isBridged = symbol === 'USDC' && BRIDGED.includes(`${chainId} ${address.toLowerCase()}`)
  return [{ chainId, address, symbol: isBridged ? 'USDC.e' : symbol, decimals: Number(decimals) }]
}

/** Principal tokens, which expire, and shares of pools, which have one symbol for many pools. */
const IS_PASSING = /^(?:PT-|UNI-V2$|G-UNI$|BPT$)/

const readAave: TokenSource['read'] = async files => {
  const tokens = at(await files.json('tokenlist.json'), 'tokens')
  return propertiesOf(tokens).flatMap(([, token]) => {
    const [chainId, address, symbol] = [at(token, 'chainId'), at(token, 'address'), at(token, 'symbol')]
    const isUnderlying = propertiesOf(at(token, 'tags')).some(([, tag]) => tag === 'underlying')
    if (!isUnderlying || typeof chainId !== 'number' || IS_PASSING.test(String(symbol))) return []
    return entryOf(chainId, address, symbol, at(token, 'decimals'))
  })
}

const SUSHI_TOKENS = 'evm/config/tokens/tokens'
const TABLE = /addressMapToTokenMap\(\s*(\{[^}]*\}),\s*(\w+),?\s*\)/g
const SPECIAL = /\[EvmChainId\.(\w+)\]: new EvmToken\((\{[^}]*\})/g

/** Reads a file of a token: tables of addresses by chain with one description, and chains with another description. */
const readSushiFile = (text: string): TokenEntry[] => {
  const special = Object.fromEntries(
    [...text.matchAll(SPECIAL)].map(([, chain = '', literal = '']) => [chain, literalAfter(literal, '{')]),
  )
  return [...text.matchAll(TABLE)].flatMap(([, literal = '', table = '']) => {
    const shared = literalAfter(literal, '{')
    const addresses = literalAfter(text, `${table} = {`)
    return propertiesOf(addresses).flatMap(([chain, address]) => {
      const own = special[chain] ?? shared
      return isObject(own) ? entryOf(chain, address, own.symbol, own.decimals) : []
    })
  })
}

/** Coins that most people hold, before the others of this package. */
const FIRST = ['USDC.ts', 'USDT.ts', 'USDT0.ts', 'DAI.ts', 'WETH9.ts', 'WBTC.ts', 'LINK.ts', 'WstETH.ts', 'UNI.ts']

const readSushi: TokenSource['read'] = async files => {
  const names = await files.list(SUSHI_TOKENS)
  const folders = names.filter(name => !name.includes('.'))
  const inFolders = await Promise.all(
    folders.map(async folder =>
      (await files.list(`${SUSHI_TOKENS}/${folder}`)).map(name => `${SUSHI_TOKENS}/${folder}/${name}`),
    ),
  )
  const own = [...FIRST, ...names.filter(name => !FIRST.includes(name))].map(name => `${SUSHI_TOKENS}/${name}`)
  const paths = [...own, ...inFolders.flat()].filter(path => path.endsWith('.ts') && !path.endsWith('index.ts'))
  return (await Promise.all(paths.map(async path => readSushiFile(await files.text(path))))).flat()
}

/** PancakeSwap's chains, by the names that it uses. The other ones are test networks, or not in the catalogue. */
const PANCAKE_CHAINS = ['BSC', 'ETHEREUM', 'ARBITRUM_ONE', 'BASE', 'LINEA', 'ZKSYNC', 'OPBNB', 'MONAD_MAINNET']
const PANCAKE = /new ERC20Token\(\s*ChainId\d*\.(\w+),\s*"(0x[0-9a-fA-F]{40})",\s*(\d+),\s*"([^"]*)"/g

const readPancake: TokenSource['read'] = async files =>
  [...(await files.text('dist/index.mjs')).matchAll(PANCAKE)].flatMap(([, chain = '', address, decimals, symbol]) =>
    PANCAKE_CHAINS.includes(chain) ? entryOf(chain, address, symbol, decimals) : [],
  )

export const TOKEN_SOURCES: readonly TokenSource[] = [
  { ...AAVE_ADDRESS_BOOK, read: readAave },
  {
    name: 'sushi',
    version: '7.3.15',
    integrity: 'sha512-i4L2qg7QDb/3Wb0Zk0YTSP/qWkrxuhezZ/CsGj6J8sj7hAuyrT/fVAlOMToKhBEY3WOJZuwiZiuvnzAUK9j9RA==',
    read: readSushi,
  },
  {
    name: '@pancakeswap/tokens',
    version: '0.9.1',
    integrity: 'sha512-jIrJm0K+Cn665or6xHvKW44B7+Ya2jo5L/HWsE+Z1556nVFiaVfIWx6AKIMNACLDeAsgRBs/LOdJqtJzTxmFcQ==',
    read: readPancake,
  },
]
