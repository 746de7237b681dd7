/**
 * The assets with a value, by network. A token has a value only through a feed for this token itself. So tokens that are
 * bridged, pegged or wrapped under another name are left out unless they have their own feed: USDC.e, WBTC as BTC,
 * stETH as ETH, xDAI as DAI. The exception is the catalogue's wrapped native coin, which its contract exchanges one to
 * one for the coin.
 */

/**
 * A network's assets. `chainlink` is its file in Chainlink's package, `aave` its name in Aave's address book. `coin` is
 * the pair of the native coin, null if it has no feed. `tokens` are keys of the address book: `usd` with a feed in US
 * dollars, `eth` with a feed in ether. `currencies` have a feed in US dollars.
 */
export interface NetworkAssets {
  readonly chainlink: string
  readonly aave?: string
  readonly coin: string | null
  readonly usd?: readonly string[]
  readonly eth?: readonly string[]
  readonly currencies?: readonly string[]
}

/** Names in feeds of tokens with another key in the address book. Otherwise the names differ only in case. */
export const PAIR_NAMES: Readonly<Record<string, string>> = { USDCn: 'USDC', USDT0: 'USDT' }

/** Assets by chain id. The names of the currencies are ISO 4217 codes. */
export const ASSETS: Readonly<Record<number, NetworkAssets>> = {
  1: {
    chainlink: 'ethereum',
    aave: 'Ethereum',
    coin: 'ETH / USD',
    usd: [
      ...['AAVE', 'BAL', 'cbBTC', 'CRV', 'crvUSD', 'DAI', 'ENS', 'EURC', 'FRAX', 'FXS', 'GHO', 'KNC', 'LINK', 'LUSD'],
      ...['MKR', 'mUSD', 'PYUSD', 'RLUSD', 'RPL', 'SNX', 'STG', 'sUSDe', 'tBTC', 'UNI', 'USDC', 'USDe', 'USDG', 'USDS'],
      ...['USDT', 'USDtb'],
    ],
    eth: ['cbETH', 'ETHx', 'ezETH', 'LDO', 'rETH', 'rsETH', 'weETH'],
    currencies: ['AUD', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'IDR', 'JPY', 'KRW', 'NZD', 'PHP', 'SGD', 'TRY'],
  },
  10: {
    chainlink: 'optimism',
    aave: 'Optimism',
    coin: 'ETH / USD',
    usd: ['AAVE', 'DAI', 'LINK', 'LUSD', 'OP', 'sUSD', 'USDCn', 'USDT', 'WBTC', 'wstETH'],
    eth: ['rETH'],
    currencies: ['AUD', 'BRL', 'EUR', 'INR', 'JPY'],
  },
  56: {
    chainlink: 'bnb-chain',
    aave: 'BNB',
    coin: 'BNB / USD',
    usd: ['Cake', 'FDUSD', 'USDC', 'USDT', 'wstETH'],
    currencies: ['AUD', 'BRL', 'CHF', 'EUR', 'GBP', 'INR', 'JPY', 'MXN', 'PHP', 'SGD', 'THB', 'ZAR'],
  },
  100: {
    chainlink: 'gnosis-chain',
    aave: 'Gnosis',
    coin: null,
    usd: ['GHO', 'GNO'],
    currencies: ['CHF', 'EUR', 'JPY', 'MXN'],
  },
  137: {
    chainlink: 'polygon',
    aave: 'Polygon',
    // POL replaced MATIC one to one as the network's coin. The feed kept its name.
    coin: 'MATIC / USD',
    usd: ['AAVE', 'BAL', 'CRV', 'DAI', 'GHST', 'LINK', 'miMATIC', 'SUSHI', 'USDCn', 'USDT0', 'WBTC'],
    eth: ['wstETH'],
    currencies: [
      ...['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'COP', 'EUR', 'GBP', 'IDR', 'ILS', 'INR', 'JPY', 'KRW', 'MXN', 'NZD'],
      ...['PHP', 'PLN', 'SEK', 'SGD', 'THB', 'TRY', 'ZAR'],
    ],
  },
  146: { chainlink: 'sonic', aave: 'Sonic', coin: 'S / USD', usd: ['stS'], currencies: ['EUR'] },
  196: { chainlink: 'xlayer', coin: 'OKB / USD' },
  324: { chainlink: 'zksync', aave: 'ZkSync', coin: 'ETH / USD', usd: ['USDC', 'USDT', 'ZK'] },
  1088: { chainlink: 'metis', coin: 'METIS / USD' },
  1284: { chainlink: 'moonbeam', coin: 'GLMR / USD', currencies: ['BRL'] },
  1285: { chainlink: 'moonriver', coin: 'MOVR / USD' },
  1868: { chainlink: 'soneium', aave: 'Soneium', coin: 'ETH / USD', usd: ['USDT'] },
  2020: { chainlink: 'ronin', coin: 'RON / USD' },
  5000: { chainlink: 'mantle', aave: 'Mantle', coin: 'MNT / USD', usd: ['sUSDe', 'USDC', 'USDe'] },
  8453: {
    chainlink: 'base',
    aave: 'Base',
    coin: 'ETH / USD',
    usd: ['AAVE', 'cbBTC', 'cbETH', 'EURC', 'GHO', 'LBTC', 'tBTC', 'USDC'],
    eth: ['ezETH', 'weETH', 'wstETH'],
    currencies: [...['AUD', 'BRL', 'CAD', 'CHF', 'EUR', 'GBP', 'IDR', 'MXN', 'NGN', 'NZD', 'PHP', 'SGD', 'TRY', 'ZAR']],
  },
  42161: {
    chainlink: 'arbitrum',
    aave: 'Arbitrum',
    coin: 'ETH / USD',
    usd: ['AAVE', 'ARB', 'DAI', 'FRAX', 'GHO', 'LINK', 'LUSD', 'tBTC', 'USDCn', 'USDT', 'WBTC'],
    eth: ['ezETH', 'rETH', 'rsETH', 'weETH', 'wstETH'],
    currencies: [
      ...['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'KRW', 'PHP', 'SEK', 'SGD', 'TRY', 'ZAR'],
    ],
  },
  42220: {
    chainlink: 'celo',
    aave: 'Celo',
    coin: 'CELO / USD',
    usd: ['USDC', 'USDT'],
    currencies: ['AUD', 'BRL', 'CAD', 'CHF', 'COP', 'EUR', 'GBP', 'INR', 'KRW', 'PHP', 'ZAR'],
  },
  43114: {
    chainlink: 'avalanche',
    aave: 'Avalanche',
    coin: 'AVAX / USD',
    usd: ['AUSD', 'EURC', 'FRAX', 'GHO', 'sUSDe', 'USDC', 'USDt'],
    currencies: ['CHF', 'EUR', 'JPY', 'SGD', 'TRY'],
  },
  59144: {
    chainlink: 'linea',
    aave: 'Linea',
    coin: 'ETH / USD',
    usd: ['mUSD', 'USDC', 'USDT', 'wstETH'],
    eth: ['ezETH', 'weETH'],
    currencies: ['EUR'],
  },
  60808: { chainlink: 'bob', coin: 'ETH / USD' },
  534352: { chainlink: 'scroll', aave: 'Scroll', coin: 'ETH / USD', usd: ['SCR', 'USDC'], eth: ['wstETH'] },
  747474: { chainlink: 'katana', coin: 'ETH / USD' },
}
