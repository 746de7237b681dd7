/**
 * Heartbeats of feeds: the longest time in seconds between two answers. Chainlink's package does not have them. They are
 * from copies of the Chainlink reference data directory: of December 2025 for Ethereum, Arbitrum and Base
 * (https://github.com/antoncoding/monarch), of March 2025 for OP Mainnet and Linea
 * (https://github.com/LZeroAnalytics/chainlink-package), of March 2026 for Avalanche
 * (https://github.com/avasnap/cchainlink), and of 2022 for BNB Smart Chain, Polygon and Gnosis
 * (https://github.com/smartcontractkit/documentation).
 */

/** Heartbeat of nearly all feeds. Used for the other networks, too. */
export const USUAL_HEARTBEAT = 86_400

/** Other heartbeats, by chain id and pair. */
export const HEARTBEATS: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  1: {
    'AAVE / USD': 3600,
    'DAI / USD': 3600,
    'ETH / USD': 3600,
    'FRAX / USD': 3600,
    'LINK / USD': 3600,
    'MKR / USD': 3600,
    'UNI / USD': 3600,
    'USDC / USD': 82_800,
    'USDE / USD': 82_800,
    'USDS / USD': 82_800,
  },
  10: {
    'AAVE / USD': 1200,
    'AUD / USD': 1200,
    'ETH / USD': 1200,
    'EUR / USD': 3600,
    'INR / USD': 1200,
    'JPY / USD': 1200,
    'LINK / USD': 1200,
    'OP / USD': 1200,
    'WBTC / USD': 1200,
  },
  56: { 'AUD / USD': 600, 'BNB / USD': 60, 'CAKE / USD': 60, 'EUR / USD': 600, 'JPY / USD': 600 },
  137: {
    'AAVE / USD': 27,
    'AUD / USD': 27,
    'CAD / USD': 27,
    'CRV / USD': 300,
    'DAI / USD': 27,
    'ETH / USD': 27,
    'EUR / USD': 27,
    'GBP / USD': 27,
    'LINK / USD': 27,
    'MATIC / USD': 27,
    'USDC / USD': 27,
    'USDT / USD': 27,
  },
  1285: { 'MOVR / USD': 600 },
  8453: {
    'BRL / USD': 3600,
    'CAD / USD': 3600,
    'CBBTC / USD': 1200,
    'CBETH / USD': 1200,
    'ETH / USD': 1200,
    'EUR / USD': 3600,
    'IDR / USD': 3600,
    'MXN / USD': 3600,
    'NGN / USD': 3600,
    'TRY / USD': 3600,
    'ZAR / USD': 3600,
  },
  42161: { 'EUR / USD': 3600, 'LINK / USD': 3600 },
  43114: { 'AVAX / USD': 120 },
}
