/** Exchanges with pools on many chains: SushiSwap, PancakeSwap, Curve, Balancer, LFJ and Ambient. */
import { at, byChain, byName, type Entry, entry, type Label, propertiesOf } from '../entries.ts'
import { literalAfter, literalsAfter } from '../literal.ts'
import type { PackageFiles } from '../packages.ts'
import type { Source } from './source.ts'
import { readTables } from './table.ts'

const SUSHI = '_cjs/evm/config/features'

const readSushi: Source['read'] = async files => {
  const readers = [
    readTables('SushiSwap', `${SUSHI}/sushiswap-v2.js`, [['V2_ROUTER_ADDRESS = {', ['V2 router', 'router']]]),
    readTables('SushiSwap', `${SUSHI}/red-snwapper.js`, [['RED_SNWAPPER_ADDRESS = {', ['RedSnwapper', 'router']]]),
    readTables('SushiSwap', `${SUSHI}/mini-chef.js`, [['MINICHEF_ADDRESS = {', ['MiniChef', 'staking']]]),
    readTables('SushiSwap', `${SUSHI}/sushiswap-v3.js`, [
      ['V3_POSITION_MANAGER = {', ['NonfungiblePositionManager', 'pool']],
    ]),
    readTables('SushiSwap', `${SUSHI}/master-chef.js`, [
      ['MASTERCHEF_ADDRESS = {', ['MasterChef', 'staking']],
      ['MASTERCHEF_V2_ADDRESS = {', ['MasterChef v2', 'staking']],
    ]),
  ]
  return (await Promise.all(readers.map(read => read(files)))).flat()
}

const CURVE: Readonly<Record<string, Label>> = {
  router: ['router', 'router'],
  deposit_and_stake: ['deposit and stake', 'pool'],
}

/** The DAO's contracts. For other chains the package contains placeholders. */
const CURVE_DAO: Readonly<Record<string, Label>> = {
  voting_escrow: ['vote escrow', 'governance'],
  minter: ['minter', 'staking'],
  gauge_controller: ['gauge controller', 'governance'],
  fee_distributor: ['fee distributor', 'governance'],
}

const curvePools = async (files: PackageFiles, chain: string, name: string): Promise<readonly Entry[]> => {
  const pools = literalAfter(await files.text(`lib/constants/pools/${name}.js`), `POOLS_DATA_${name.toUpperCase()} =`)
  return propertiesOf(pools).flatMap(([key, pool]) => [
    ...entry(chain, at(pool, 'swap_address'), 'Curve', [key.endsWith('pool') ? key : `${key} pool`, 'pool']),
    ...entry(chain, at(pool, 'gauge_address'), 'Curve', [`${key} gauge`, 'staking']),
  ])
}

const readCurve: Source['read'] = async files => {
  const text = await files.text('lib/constants/network_constants.js')
  const networks = propertiesOf(literalAfter(text, 'NETWORK_CONSTANTS ='))
  const aliases = networks.flatMap(([chain, network]) => {
    const addresses = literalAfter(text, `const ${at(network, 'ALIASES')} =`)
    return byName(chain, addresses, 'Curve', chain === '1' ? { ...CURVE, ...CURVE_DAO } : CURVE)
  })
  const pools = [1, 10, 100, 137, 42161, 43114].map(chain => {
    const name = networks.find(([id]) => id === String(chain))?.[1]
    return curvePools(files, String(chain), String(at(name, 'NAME')))
  })
  return [...aliases, ...(await Promise.all(pools)).flat()]
}

const BALANCER_V3: Readonly<Record<string, Label>> = {
  Vault: ['v3 vault', 'vault'],
  Router: ['v3 router', 'router'],
  BatchRouter: ['v3 batch router', 'router'],
  BufferRouter: ['v3 buffer router', 'router'],
}

/** On Fantom, the package lists the vault of Beets, a fork. */
const FANTOM = 250

const readBalancer: Source['read'] = async files => {
  const text = await files.text('dist/index.mjs')
  const v3 = literalAfter(text, 'var balancerV3Contracts =')
  const entries = [
    ...byChain(literalAfter(text, 'var VAULT_V2 ='), 'Balancer', ['v2 vault', 'vault']),
    ...byChain(literalAfter(text, 'var BALANCER_RELAYER ='), 'Balancer', ['v2 relayer', 'router']),
    ...Object.entries(BALANCER_V3).flatMap(([key, label]) => byChain(at(v3, key), 'Balancer', label)),
  ]
  return entries.filter(({ chainId }) => chainId !== FANTOM)
}

const AMBIENT: Readonly<Record<string, Label>> = {
  'addrs.dex': ['exchange', 'router'],
  'addrs.router': ['router', 'router'],
  'addrs.routerBypass': ['router bypass', 'router'],
}

const readAmbient: Source['read'] = async files =>
  literalsAfter(await files.text('dist/constants.js'), /^const (\w+)_CHAIN =/gm).flatMap(([, chain]) =>
    byName(Number(at(chain, 'chainId')), chain, 'Ambient', AMBIENT),
  )

export const EXCHANGE_SOURCES: readonly Source[] = [
  {
    name: 'sushi',
    version: '7.3.15',
    integrity: 'sha512-i4L2qg7QDb/3Wb0Zk0YTSP/qWkrxuhezZ/CsGj6J8sj7hAuyrT/fVAlOMToKhBEY3WOJZuwiZiuvnzAUK9j9RA==',
    read: readSushi,
  },
  {
    name: '@pancakeswap/universal-router-sdk',
    version: '1.5.6',
    integrity: 'sha512-yxZtohzLwC3RJsUNUyA7Tq7w90020kw9/s3gtDoMAviNs+cibwTLusWaHHCdodTaT1SXs7uK9UsxQY5se017ag==',
    read: readTables('PancakeSwap', 'dist/index.js', [
      ['var UNIVERSAL_ROUTER_ADDRESSES =', ['Universal Router', 'router']],
    ]),
  },
  {
    name: '@pancakeswap/smart-router',
    version: '7.7.3',
    integrity: 'sha512-Ar1Fbo287arowv4X8AG7scaIwCCuEnNgGWYZBW9tCnH3B/9WeD9fHpKH3KeQmOeYriIGm9WAJSUMmapvd6E5gQ==',
    read: readTables('PancakeSwap', 'dist/chunk-2W4ESWHM.js', [
      ['var SMART_ROUTER_ADDRESSES =', ['Smart Router', 'router']],
      ['var V2_ROUTER_ADDRESS =', ['V2 router', 'router']],
    ]),
  },
  {
    name: '@pancakeswap/v3-sdk',
    version: '3.10.2',
    integrity: 'sha512-jHx+aEG4aYBnMU9Ks5uSRV9Y8mCM6JCwV47tD8mWRMk+EpOQc7S9zMeIqj+9LhNxKqZovmo870m7nk0XWTxz3Q==',
    read: readTables('PancakeSwap', 'dist/index.js', [
      ['var NFT_POSITION_MANAGER_ADDRESSES =', ['NonfungiblePositionManager', 'pool']],
    ]),
  },
  {
    name: '@pancakeswap/permit2-sdk',
    version: '1.2.2',
    integrity: 'sha512-4TRbsAoL+l5qnUPPg3wCXHalbei790mh8DjcJLPze7MOIlc7fdhk+tzsoQd9r4kv6YvozO+hJv+f3oLBksjNZg==',
    read: readTables('PancakeSwap', 'dist/index.js', [['var PERMIT2_ADDRESSES =', ['Permit2', 'permit']]]),
  },
  {
    name: '@pancakeswap/infinity-sdk',
    version: '1.0.11',
    integrity: 'sha512-8Rh6YLsdaq+OdPjD/m/xcdONwT25yodzK77RR2S9SD76GS7Hkn8vUrmGW8q+yEFqdmidGo7St8hTiXLgp/JqyA==',
    read: readTables('PancakeSwap', 'dist/index.js', [
      ['var INFI_VAULT_ADDRESSES =', ['Infinity vault', 'vault']],
      ['var INFI_CL_POSITION_MANAGER_ADDRESSES =', ['Infinity CL PositionManager', 'pool']],
      ['var INFI_BIN_POSITION_MANAGER_ADDRESSES =', ['Infinity Bin PositionManager', 'pool']],
      ['var INFI_FARMING_DISTRIBUTOR_ADDRESSES =', ['Infinity farming rewards', 'staking']],
    ]),
  },
  {
    name: '@curvefi/api',
    version: '2.70.1',
    integrity: 'sha512-Ri+DqW7BISubW1pILxMFuaDKMV5I4wuEdgZy9TM9DJtO7O5CB3o3In4PuFngzw0sxoudLIzv93iCHpB6OE3qow==',
    read: readCurve,
  },
  {
    name: '@balancer/sdk',
    version: '6.1.1',
    integrity: 'sha512-SnEK+NypOx+RJnjJOqZHF7URyrqFKzwfR9md8iKaOhZNz+1l+B7dH74D3apcQGzBp4NdkyJHno4lTss/DFjmzg==',
    read: readBalancer,
  },
  {
    name: '@traderjoe-xyz/sdk-v2',
    version: '3.0.21',
    integrity: 'sha512-E6YVUdRBxExQcmUUM26yphTLShvp3gw2RVu9oWF72cGhG4WJMye+b/GhaOygyitpXjA8weexhBwIN63MSghpug==',
    read: readTables('LFJ', 'dist/index.js', [
      ['var LB_ROUTER_ADDRESS =', ['LBRouter', 'router']],
      ['var LB_ROUTER_V21_ADDRESS =', ['LBRouter 2.1', 'router']],
      ['var LB_ROUTER_V22_ADDRESS =', ['LBRouter 2.2', 'router']],
    ]),
  },
  {
    name: '@crocswap-libs/sdk',
    version: '2.0.14',
    integrity: 'sha512-GiqqWsSdwaygOQTIvI5FGh/U9hshW+7WrBa/RhBIVF44E3wZPcwHBU8zcIlILhnNW1K4EqDmoT+MGDZXsHLmSA==',
    read: readAmbient,
  },
]
