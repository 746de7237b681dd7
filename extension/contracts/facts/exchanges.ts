/** Single-network exchanges, perpetual markets and pools. */
import { type FactGroup, onEach } from './fact.ts'

export const EXCHANGE_FACTS: readonly FactGroup[] = [
  {
    protocol: 'Uniswap',
    source: 'https://docs.uniswap.org/contracts/v3/reference/deployments/ethereum-deployments',
    contracts: onEach([1, 10, 137, 42161], [['0xE592427A0AEce92De3Edee1F18E0157C05861564', 'SwapRouter', 'router']]),
  },
  {
    protocol: 'Aerodrome',
    source: 'https://github.com/aerodrome-finance/contracts#deployment',
    contracts: {
      8453: [
        ['0xcF77a3Ba9A5CA399B7c97c74d54e5b1Beb874E43', 'router', 'router'],
        ['0xBE6D8f0d05cC4be24d5167a3eF062215bE6D18a5', 'Slipstream router', 'router'],
        ['0x827922686190790b37229fd06084350E74485b72', 'Slipstream positions', 'pool'],
        ['0x6Cb442acF35158D5eDa88fe602221b67B400Be3E', 'Universal Router', 'router'],
        ['0x16613524e02ad97eDfeF371bC883F2F5d6C480A5', 'voter', 'governance'],
        ['0xeBf418Fe2512e7E6bd9b87a8F0f294aCDC67e6B4', 'veAERO', 'staking'],
      ],
    },
  },
  {
    protocol: 'Velodrome',
    source: 'https://github.com/velodrome-finance/contracts#deployment',
    contracts: {
      10: [
        ['0xa062aE8A9c5e11aaA026fc2670B0D65cCc8B2858', 'router', 'router'],
        ['0x9c12939390052919aF3155f41Bf4160Fd3666A6f', 'v1 router', 'router'],
        ['0x41C914ee0c7E1A5edCD0295623e6dC557B5aBf3C', 'voter', 'governance'],
        ['0xFAf8FD17D9840595845582fCB047DF13f006787d', 'veVELO', 'staking'],
      ],
    },
  },
  {
    protocol: 'Camelot',
    source: 'https://docs.camelot.exchange/contracts/arbitrum/one-mainnet',
    contracts: {
      42161: [
        ['0xc873fEcbd354f5A56E00E710B90EF4201db2448d', 'V2 router', 'router'],
        ['0x1F721E2E82F6676FCE4eA07A5958cF098D339e18', 'V3 router', 'router'],
        ['0x00c7f3082833e796A5b3e4Bd59f6642FF44DCD15', 'NonfungiblePositionManager', 'pool'],
      ],
    },
  },
  {
    protocol: 'QuickSwap',
    source: 'https://docs.quickswap.exchange/technical-reference/smart-contracts',
    contracts: {
      137: [
        ['0xa5E0829CaCEd8fFDD4De3c43696c57F7D7A678ff', 'V2 router', 'router'],
        ['0xf5b509bB0909a69B1c207E495f687a596C168E12', 'V3 router', 'router'],
        ['0x8eF88E4c7CfbbaC1C163f7eddd4B578792201de6', 'NonfungiblePositionManager', 'pool'],
      ],
    },
  },
  {
    protocol: 'LFJ',
    source: 'https://docs.lfj.gg/deployment-addresses/v1',
    contracts: { 43114: [['0x60aE616a2155Ee3d9A68541Ba4544862310933d4', 'V1 router', 'router']] },
  },
  {
    protocol: 'Pangolin',
    source: 'https://docs.pangolin.exchange/smart-contracts/addresses',
    contracts: { 43114: [['0xE54Ca86531e17Ef3616d22Ca28b0D458b6C89106', 'router', 'router']] },
  },
  {
    protocol: 'SpookySwap',
    source: 'https://docs.spooky.fi/Resources/contracts',
    contracts: { 250: [['0xF491e7B69E4244ad4002BC14e878a34207E38c29', 'router', 'router']] },
  },
  {
    protocol: 'Biswap',
    source: 'https://docs.biswap.org/biswap/general-information/biswap-smart-contracts',
    contracts: { 56: [['0x3a6d8cA21D1CF76F653A67577FA0D27453350dD8', 'router', 'router']] },
  },
  {
    protocol: 'THENA',
    source: 'https://docs.thena.fi/thena/contracts',
    contracts: { 56: [['0xd4ae6eCA985340Dd434D38F470aCCce4DC78D109', 'router', 'router']] },
  },
  {
    protocol: 'SyncSwap',
    source: 'https://syncswap.gitbook.io/syncswap/smart-contracts/smart-contracts',
    contracts: {
      324: [['0x2da10A1e27bF85cEdD8FFb1AbBe97e53391C0295', 'router', 'router']],
      59144: [['0x80e38291e06339d10AAB483C65695D004dBD5C69', 'router', 'router']],
      534352: [['0x80e38291e06339d10AAB483C65695D004dBD5C69', 'router', 'router']],
    },
  },
  {
    protocol: 'Thruster',
    source: 'https://docs.thruster.finance/docs/contract-addresses',
    contracts: { 81457: [['0x98994a9A7a2570367554589189dC9772241650f6', 'V2 router', 'router']] },
  },
  {
    protocol: 'Merchant Moe',
    source: 'https://docs.merchantmoe.com/resources/contracts',
    contracts: { 5000: [['0xeaEE7EE68874218c3558b40063c42B82D3E7232a', 'router', 'router']] },
  },
  {
    protocol: 'Ubeswap',
    source: 'https://docs.ubeswap.org/code-and-contracts/contract-addresses',
    contracts: { 42220: [['0xE3D8bd6Aed4F159bc8000a9cD47CffDb95F96121', 'router', 'router']] },
  },
  {
    protocol: 'BEX',
    source: 'https://docs.berachain.com/nodes/guides/bex-sdk/deployed-contracts',
    contracts: { 80094: [['0x4Be03f781C497A489E3cB0287833452cA9B9E80B', 'vault', 'vault']] },
  },
  {
    protocol: 'Katana DEX',
    source: 'https://docs.roninchain.com/apps/katana',
    contracts: { 2020: [['0x7D0556D55ca1a92708681e2e231733EBd922597D', 'router', 'router']] },
  },
  {
    protocol: 'Bancor',
    source: 'https://docs.bancor.network/developer-guides/contracts',
    contracts: { 1: [['0xeEF417e1D5CC832e619ae18D2F140De2999dD4fB', 'network v3', 'router']] },
  },
  {
    protocol: 'Maverick',
    source: 'https://docs.mav.xyz/technical-reference/contract-addresses',
    contracts: { 1: [['0xbBF1EE38152E9D8e3470Dc47947eAa65DcA94913', 'router', 'router']] },
  },
  {
    protocol: 'GMX',
    source: 'https://docs.gmx.io/docs/api/contracts/addresses',
    contracts: { 42161: [['0xaBBc5F99639c9B6bCb58544ddf04EFA6802F4064', 'v1 router', 'router']] },
  },
  {
    protocol: 'gTrade',
    source: 'https://docs.gains.trade/what-is-gains-network/contract-addresses',
    contracts: {
      137: [['0x209A9A01980377916851af2cA075C2b170452018', 'trading', 'router']],
      42161: [['0xFF162c694eAA571f685030649814282eA457f169', 'trading', 'router']],
    },
  },
  {
    protocol: 'Hyperliquid',
    source: 'https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/bridge2',
    contracts: { 42161: [['0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7', 'bridge', 'bridge']] },
  },
  {
    protocol: 'dYdX',
    source: 'https://docs.dydx.xyz/',
    contracts: {
      1: [
        ['0xD54f502e184B6B739d7D27a6410a67dc462D69c8', 'v3 exchange', 'router'],
        ['0x46b2DeAe6eFf3011008EA27EA36b7c27255ddFA9', 'DYDX bridge', 'bridge'],
      ],
    },
  },
  {
    protocol: 'Synthetix',
    source: 'https://docs.synthetix.io/v/v3/for-developers/addresses-and-abis',
    contracts: {
      1: [
        ['0xffffffaEff0B96Ea8e4f94b2253f31abdD875847', 'v3 core', 'staking'],
        ['0xC011a73ee8576Fb46F5E1c5751cA3B9Fe0af2a6F', 'SNX', 'token'],
      ],
      10: [['0xffffffaEff0B96Ea8e4f94b2253f31abdD875847', 'v3 core', 'staking']],
      8453: [['0x32C222A9A159782aFD7529c87FA34b96CA72C696', 'v3 core', 'staking']],
    },
  },
  {
    protocol: 'CryptoPunks',
    source: 'https://github.com/larvalabs/cryptopunks',
    contracts: { 1: [['0xb47e3cd837dDF8e4c57F05d70Ab865de6e193BBB', 'CryptoPunk', 'marketplace']] },
  },
]
