/** Aggregators for exchanges and bridges, and routers operated by wallets. */
import { type FactGroup, onEach } from './fact.ts'

/**
 * Chains that most aggregators support: Ethereum, OP Mainnet, BNB Smart Chain, Polygon, Base, Arbitrum One, Avalanche.
 */
const MAIN = [1, 10, 56, 137, 8453, 42161, 43114]

export const AGGREGATOR_FACTS: readonly FactGroup[] = [
  {
    protocol: '0x',
    source: 'https://0x.org/docs/developer-resources/core-concepts/contracts',
    contracts: onEach(MAIN, [['0x0000000000001fF3684f28c67538d4D072C22734', 'allowance holder', 'router']]),
  },
  {
    protocol: '0x',
    source: 'https://github.com/0xProject/0x-protocol-specification/blob/master/v3/v3-specification.md',
    contracts: {
      1: [
        ['0x61935CbDd02287B511119DDb11Aeb42F1593b7Ef', 'exchange v3', 'router'],
        ['0x95E6F48254609A6ee006F7D493c8e5fB97094ceF', 'ERC-20 proxy', 'router'],
        ['0xeFc70A1B18C432bdc64b596838B4D138f6bC6cad', 'ERC-721 proxy', 'router'],
      ],
    },
  },
  {
    protocol: '1inch',
    source: 'https://business.1inch.com/portal/documentation',
    contracts: onEach(
      [1, 10, 56, 100, 137, 250, 8453, 42161, 43114],
      [['0x1111111254EEB25477B68fb85Ed929f73A960582', 'router v5', 'router']],
    ),
  },
  {
    protocol: '1inch',
    source: 'https://business.1inch.com/portal/documentation',
    contracts: {
      1: [
        ['0x1111111254fb6c44bAC0beD2854e76F90643097d', 'router v4', 'router'],
        ['0x9A0C8Ff858d273f57072D714bca7411D717501D7', 'st1INCH', 'staking'],
      ],
      56: [['0x1111111254fb6c44bAC0beD2854e76F90643097d', 'router v4', 'router']],
      137: [['0x1111111254fb6c44bAC0beD2854e76F90643097d', 'router v4', 'router']],
    },
  },
  {
    protocol: 'CoW Protocol',
    source: 'https://docs.cow.fi/cow-protocol/reference/contracts/periphery/eth-flow',
    contracts: onEach([1, 100], [['0x40A50cf069e992AA4536211B23F286eF88752187', 'native coin orders', 'router']]),
  },
  {
    protocol: 'ParaSwap',
    source: 'https://developers.velora.xyz/augustus-swapper/augustus-v6.2',
    contracts: onEach(MAIN, [['0x6A000F20005980200259B80c5102003040001068', 'Augustus v6.2', 'router']]),
  },
  {
    protocol: 'ParaSwap',
    source: 'https://developers.velora.xyz/augustus-swapper/augustus-v5',
    contracts: onEach(
      [1, 10, 56, 137, 250, 42161, 43114],
      [
        ['0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57', 'Augustus v5', 'router'],
        ['0x216B4B4Ba9F3e719726886d34a177484278Bfcae', 'token transfer proxy', 'router'],
      ],
    ),
  },
  {
    protocol: 'KyberSwap',
    source: 'https://docs.kyberswap.com/kyberswap-solutions/kyberswap-aggregator/contracts',
    contracts: {
      ...onEach(
        [...MAIN, 250, 5000, 59144, 81457, 534352],
        [['0x6131B5fae19EA4f9D964eAc0408E4408b66337b5', 'router', 'router']],
      ),
      324: [['0x3F95eF3f2eAca871858dbE20A93c01daF6C2e923', 'router', 'router']],
    },
  },
  {
    protocol: 'OpenOcean',
    source: 'https://docs.openocean.finance/docs/developers/contracts-of-chains',
    contracts: onEach([...MAIN, 100, 250], [['0x6352a56caadC4F1E25CD6c75970Fa768A3304e64', 'exchange', 'router']]),
  },
  {
    protocol: 'Odos',
    source: 'https://docs.odos.xyz/build/contracts',
    contracts: {
      1: [['0xCf5540fFFCdC3d510B18bFcA6d2b9987b0772559', 'router v2', 'router']],
      10: [['0xCa423977156BB05b13A2BA3b76Bc5419E2fE9680', 'router v2', 'router']],
      56: [['0x89b8AA89FDd0507a99d334CBe3C808fAFC7d850E', 'router v2', 'router']],
      137: [['0x4E3288c9ca110bCC82bf38F09A7b425c095d92Bf', 'router v2', 'router']],
      8453: [['0x19cEeAd7105607Cd444F5ad10dd51356436095a1', 'router v2', 'router']],
      42161: [['0xa669e7A0d4b3e4Fa48af2dE86BD4CD7126Be4e13', 'router v2', 'router']],
      43114: [['0x88de50B233052e4Fb783d4F6db78Cc34fEa3e9FC', 'router v2', 'router']],
    },
  },
  {
    protocol: 'Odos',
    source: 'https://docs.odos.xyz/build/contracts',
    contracts: onEach(MAIN, [['0x0D05a7D3448512B78fa8A9e46c4872C88C4a0D05', 'router v3', 'router']]),
  },
  {
    protocol: 'LI.FI',
    source: 'https://docs.li.fi/smart-contracts/deployments',
    contracts: {
      ...onEach([...MAIN, 100, 250], [['0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE', 'diamond', 'bridge']]),
      324: [['0x341e94069f53234fE6DabeF707aD424830525715', 'diamond', 'bridge']],
      59144: [['0xDE1E598b81620773454588B85D6b5D4eEC32573e', 'diamond', 'bridge']],
    },
  },
  {
    protocol: 'Squid',
    source: 'https://docs.squidrouter.com/additional-resources/contracts',
    contracts: onEach(
      [...MAIN, 250, 1284, 42220, 59144],
      [['0xce16F69375520ab01377ce7B88f5BA8C48F8D666', 'router', 'bridge']],
    ),
  },
  {
    protocol: 'Relay',
    source: 'https://docs.relay.link/resources/contract-addresses',
    contracts: onEach([1, 10, 8453, 42161], [['0xa5F565650890fBA1824Ee0F21EbBbF660a179934', 'receiver', 'bridge']]),
  },
  {
    protocol: 'Bebop',
    source: 'https://docs.bebop.xyz/',
    contracts: onEach(
      [1, 10, 56, 137, 8453, 42161],
      [['0xbbbbbBB520d69a9775E85b458C58c648259FAD5F', 'settlement', 'router']],
    ),
  },
  {
    protocol: 'WOOFi',
    source: 'https://learn.woo.org/woofi-docs/woofi-dev-docs/references/readme',
    contracts: onEach([56, 42161, 43114], [['0x4c4AF8DBc524681930a27b2F1Af5bcC8062E6fB7', 'router', 'router']]),
  },
  {
    protocol: 'OKX DEX',
    source: 'https://web3.okx.com/build/docs/waas/dex-smart-contract',
    contracts: { 1: [['0x40aA958dd87FC8305b97f2BA922CDdCa374bcD7f', 'token approval', 'router']] },
  },
  {
    protocol: 'MetaMask',
    source: 'https://support.metamask.io/token-swaps/user-guide-swaps/',
    contracts: {
      1: [
        ['0x881D40237659C251811CEC9c364ef91dC08D300C', 'swap router', 'router'],
        ['0x0439e60F02a8900a951603950d8D4527f400C3f1', 'bridge', 'bridge'],
      ],
      56: [['0x1a1ec25DC08e98e5E93F1104B5e5cdD298707d31', 'swap router', 'router']],
      137: [['0x1a1ec25DC08e98e5E93F1104B5e5cdD298707d31', 'swap router', 'router']],
      43114: [['0x1a1ec25DC08e98e5E93F1104B5e5cdD298707d31', 'swap router', 'router']],
    },
  },
  {
    protocol: 'Rainbow',
    source: 'https://github.com/rainbow-me/swap-contracts',
    contracts: onEach(
      [1, 10, 137, 8453, 42161],
      [['0x00000000009726632680FB29d3F7A9734E3010E2', 'swap router', 'router']],
    ),
  },
  {
    protocol: 'Banana Gun',
    source: 'https://docs.bananagun.io/',
    contracts: { 1: [['0x3328F7f4A1D1C57c35df56bBf0c9dCAFCA309C49', 'router', 'router']] },
  },
  {
    protocol: 'Maestro',
    source: 'https://docs.maestrobots.com/',
    contracts: { 1: [['0x80a64c6D7f12C47B7c66c5B4E20E72bc1FCd5d9e', 'router', 'router']] },
  },
]
