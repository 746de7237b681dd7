/**
 * Wrapped native coins: contracts with `deposit` and `withdraw` for the coin that pays the chain's fees. Celo has none,
 * because its native coin is itself a token. Most are also in the tables of `@uniswap/universal-router-sdk`,
 * `@morpho-org/morpho-ts`, `sushi` and `@balmy/sdk`. A network without such a contract, or with several candidates, is
 * left out.
 */
import { LISTED_CHAINS } from '../chains.ts'
import { type FactGroup, onEach } from './fact.ts'

type Coin = readonly [chainIds: readonly number[], address: `0x${string}`, symbol: string, name: string]

const COINS: readonly Coin[] = [
  [[1], '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'WETH', 'wrapped ether'],
  [[11155111], '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14', 'WETH', 'wrapped ether'],
  // OP Stack chains have the wrapped coin's contract at a reserved address. On opBNB, the coin is BNB.
  [
    [10, 130, 480, 1135, 1868, 4326, 8453, 34443, 43111, 57073, 60808, 7777777],
    '0x4200000000000000000000000000000000000006',
    'WETH',
    'wrapped ether',
  ],
  [[204], '0x4200000000000000000000000000000000000006', 'WBNB', 'wrapped BNB'],
  [[42161], '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', 'WETH', 'wrapped ether'],
  [[42170], '0x722E8BdD2ce80A4422E880164f2079488e115365', 'WETH', 'wrapped ether'],
  [[324], '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91', 'WETH', 'wrapped ether'],
  [[2741], '0x3439153EB7AF838Ad19d56E1571FBD09333C2809', 'WETH', 'wrapped ether'],
  [[59144], '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f', 'WETH', 'wrapped ether'],
  [[534352], '0x5300000000000000000000000000000000000004', 'WETH', 'wrapped ether'],
  [[2818], '0x5300000000000000000000000000000000000011', 'WETH', 'wrapped ether'],
  [[81457], '0x4300000000000000000000000000000000000004', 'WETH', 'wrapped ether'],
  [[167000], '0xA51894664A773981C6C112C43ce576f315d5b1B6', 'WETH', 'wrapped ether'],
  [[169], '0x0Dc808adcE2099A9F62AA87D9670745AbA741746', 'WETH', 'wrapped ether'],
  [[1313161554], '0xC9BdeEd33CD01541e1eeD10f90519d2C06Fe3feB', 'WETH', 'wrapped ether'],
  [[56], '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', 'WBNB', 'wrapped BNB'],
  [[137], '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', 'WPOL', 'wrapped POL'],
  [[43114], '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7', 'WAVAX', 'wrapped AVAX'],
  [[100], '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d', 'WXDAI', 'wrapped xDAI'],
  [[146], '0x039e2fB66102314Ce7b64Ce5Ce3E5183bc94aD38', 'wS', 'wrapped S'],
  [[250], '0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83', 'WFTM', 'wrapped FTM'],
  [[80094], '0x6969696969696969696969696969696969696969', 'WBERA', 'wrapped BERA'],
  [[999], '0x5555555555555555555555555555555555555555', 'WHYPE', 'wrapped HYPE'],
  [[143], '0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A', 'WMON', 'wrapped MON'],
  [[5000], '0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8', 'WMNT', 'wrapped MNT'],
  [[8217], '0x19Aac5f612f524B754CA7e7c41cbFa2E981A4432', 'WKAIA', 'wrapped KAIA'],
  [[25], '0x5C7F8A570d578ED84E63fdFA7b1eE72dEae1AE23', 'WCRO', 'wrapped CRO'],
  [[1329], '0xE30feDd158A2e3b13e9badaeABaFc5516e95e8C7', 'WSEI', 'wrapped SEI'],
  [[2020], '0xe514d9DEB7966c8BE0ca922de8a064264eA6bcd4', 'WRON', 'wrapped RON'],
  [[9745], '0x6100E367285b01F48D07953803A2d8dCA5D19873', 'WXPL', 'wrapped XPL'],
  [[1088], '0x75cb093E4D61d2A2e65D8e0BBb01DE8d89b53481', 'WMETIS', 'wrapped METIS'],
  [[1284], '0xAcc15dC74880C9944775448304B263D191c6077F', 'WGLMR', 'wrapped GLMR'],
  [[1285], '0x98878B06940aE243284CA214f92Bb71a2b032B8A', 'WMOVR', 'wrapped MOVR'],
  [[33139], '0x48b62137EdfA95a428D35C09E44256a739F6B557', 'WAPE', 'wrapped APE'],
  [[13371], '0x3A0C2Ba54D6CBd3121F01b96dFd20e99D1696C9D', 'WIMX', 'wrapped IMX'],
  [[747], '0xd3bF53DAC106A0290B0483EcBC89d40FcC961f3e', 'WFLOW', 'wrapped FLOW'],
  [[30], '0x542fDA317318eBF1d3DEAf76E0b632741A7e677d', 'WRBTC', 'wrapped RBTC'],
  [[369], '0xA1077a294dDE1B09bB078844df40758a5D0f9a27', 'WPLS', 'wrapped PLS'],
  [[314], '0x60E1773636CF5E4A227d9AC24F20fEca034ee25A', 'WFIL', 'wrapped FIL'],
  [[14], '0x1D80c49BbBCd1C0911346656B529DF9E5c2F783d', 'WFLR', 'wrapped FLR'],
  [[7000], '0x5F0b1a82749cb4E2278EC87F8BF6B618dC71a8bf', 'WZETA', 'wrapped ZETA'],
  [[196], '0xe538905cf8410324e03A5A23C1c177a474D59b2b', 'WOKB', 'wrapped OKB'],
  [[98866], '0xEa237441c92CAe6FC17Caaf9a7acB3f953be4bd1', 'WPLUME', 'wrapped PLUME'],
  [[61], '0x1953cab0E5bFa6D4a9BaD6E05fD46C1CC6527a5a', 'WETC', 'wrapped ETC'],
  [[50], '0x951857744785E80e2De051c32EE7b25f9c458C42', 'WXDC', 'wrapped XDC'],
]

const explorers = new Map(LISTED_CHAINS.map(({ id, blockExplorers }) => [id, blockExplorers?.default.url]))

const groupsOf = ([chainIds, address, protocol, name]: Coin): readonly FactGroup[] =>
  chainIds.map(chainId => ({
    protocol,
    source: `${explorers.get(chainId)}/token/${address}`,
    contracts: onEach([chainId], [[address, name, 'wrapped']]),
  }))

/** One group per coin and chain. The source is the token's page in the network's explorer. */
export const WRAPPED_FACTS: readonly FactGroup[] = COINS.flatMap(groupsOf)
