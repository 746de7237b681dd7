/** Ether staking, restaking and vaults. */
import type { FactGroup } from './fact.ts'

export const STAKING_FACTS: readonly FactGroup[] = [
  {
    protocol: 'Ethereum',
    source: 'https://ethereum.org/en/staking/deposit-contract/',
    contracts: { 1: [['0x00000000219ab540356cBB839Cbe05303d7705Fa', 'beacon deposit', 'staking']] },
  },
  {
    protocol: 'Gnosis',
    source: 'https://docs.gnosischain.com/about/networks/mainnet',
    contracts: { 100: [['0x0B98057eA310F4d31F2a452B414647007d1645d9', 'beacon deposit', 'staking']] },
  },
  {
    protocol: 'Lido',
    source: 'https://docs.lido.fi/deployed-contracts/',
    contracts: {
      1: [
        ['0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84', 'stETH', 'staking'],
        ['0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0', 'wstETH', 'staking'],
        ['0x889edC2eDab5f40e902b864aD4d7AdE8E412F9B1', 'withdrawal queue', 'staking'],
        ['0x2e59A20f205bB85a89C53f1936454680651E618e', 'voting', 'governance'],
      ],
    },
  },
  {
    protocol: 'Rocket Pool',
    source: 'https://docs.rocketpool.net/overview/contracts-integrations',
    contracts: {
      1: [
        ['0xae78736Cd615f374D3085123A210448E74Fc6393', 'rETH', 'staking'],
        ['0xDD3f50F8A6CafbE9b31a427582963f465E745AF8', 'deposit pool', 'staking'],
      ],
    },
  },
  {
    protocol: 'Frax',
    source: 'https://docs.frax.finance/smart-contracts/frxeth-and-sfrxeth-contract-addresses',
    contracts: {
      1: [
        ['0xbAFA44EFE7901E04E39Dad13167D089C559c1138', 'frxETH minter', 'staking'],
        ['0xac3E018457B222d93114458476f3E3416Abbe38F', 'sfrxETH', 'staking'],
        ['0xA663B02CF0a4b149d2aD41910CB81e23e1c41c32', 'sFRAX', 'vault'],
      ],
    },
  },
  {
    protocol: 'ether.fi',
    source: 'https://etherfi.gitbook.io/etherfi/contracts-and-integrations/deployed-contracts',
    contracts: {
      1: [
        ['0x308861A430be4cce5502d0A12724771Fc6DaF216', 'liquidity pool', 'staking'],
        ['0x35fA164735182de50811E8e2E824cFb9B6118ac2', 'eETH', 'staking'],
        ['0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee', 'weETH', 'staking'],
        ['0xcfC6d9Bd7411962Bfe7145451A7EF71A24b6A7A2', 'deposit adapter', 'staking'],
      ],
    },
  },
  {
    protocol: 'Renzo',
    source: 'https://docs.renzoprotocol.com/docs/contracts',
    contracts: {
      1: [
        ['0x74a09653A083691711cF8215a6ab074BB4e99ef5', 'restake manager', 'staking'],
        ['0xbf5495Efe5DB9ce00f80364C8B423567e58d2110', 'ezETH', 'staking'],
      ],
    },
  },
  {
    protocol: 'Kelp',
    source: 'https://kelp.gitbook.io/kelp/resources/smart-contracts',
    contracts: {
      1: [
        ['0x036676389e48133B63a802f8635AD39E752D375D', 'deposit pool', 'staking'],
        ['0xA1290d69c65A6Fe4DF752f95823fae25cB99e5A7', 'rsETH', 'staking'],
      ],
    },
  },
  {
    protocol: 'Puffer',
    source: 'https://docs.puffer.fi/deployments/',
    contracts: { 1: [['0xD9A442856C234a39a81a089C06451EBAa4306a72', 'pufETH', 'staking']] },
  },
  {
    protocol: 'Swell',
    source: 'https://docs.swellnetwork.io/swell/what-is-swell/contract-addresses',
    contracts: {
      1: [
        ['0xf951E335afb289353dc249e82926178EaC7DEd78', 'swETH', 'staking'],
        ['0xFAe103DC9cf190eD75350761e95403b7b8aFa6c0', 'rswETH', 'staking'],
      ],
    },
  },
  {
    protocol: 'Stader',
    source: 'https://www.staderlabs.com/docs-v1/Ethereum/Smart%20contracts',
    contracts: {
      1: [
        ['0xcf5EA1b38380f6aF39068375516Daf40Ed70D299', 'pools manager', 'staking'],
        ['0xA35b1B31Ce002FBF2058D22F30f95D405200A15b', 'ETHx', 'staking'],
      ],
    },
  },
  {
    protocol: 'Mantle',
    source: 'https://docs.mantle.xyz/meth/introduction/contracts',
    contracts: { 1: [['0xe3cBd06D7dadB3F4e6557bAb7EdD924CD1489E8f', 'mETH staking', 'staking']] },
  },
  {
    protocol: 'Origin',
    source: 'https://docs.originprotocol.com/smart-contracts/registry',
    contracts: { 1: [['0x39254033945AA2E4809Cc2977E7087BEE48bd7Ab', 'OETH vault', 'staking']] },
  },
  {
    protocol: 'EigenLayer',
    source: 'https://docs.eigenlayer.xyz/developers/reference/deployments',
    contracts: {
      1: [
        ['0x858646372CC42E1A627fcE94aa7A7033e7CF075A', 'strategy manager', 'staking'],
        ['0x39053D51B77DC0d36036Fc1fCc8Cb819df8Ef37A', 'delegation manager', 'staking'],
        ['0x91E677b07F7AF907ec9a428aafA9fc14a0d3A338', 'pod manager', 'staking'],
        ['0x7750d328b314EfFa365A0402CcfD489B80B0adda', 'rewards', 'staking'],
      ],
    },
  },
  {
    protocol: 'Symbiotic',
    source: 'https://docs.symbiotic.fi/deployments/mainnet',
    contracts: { 1: [['0xC329400492c6ff2438472D4651Ad17389fCb843a', 'wstETH collateral', 'staking']] },
  },
  {
    protocol: 'Ethena',
    source: 'https://docs.ethena.fi/solution-design/key-addresses',
    contracts: {
      1: [
        ['0x9D39A5DE30e57443BfF2A8307A4256c8797A3497', 'sUSDe', 'staking'],
        ['0xe3490297a08d6fC8Da46Edb7B6142E4F461b62D3', 'USDe minting', 'other'],
      ],
    },
  },
  {
    protocol: 'Yearn',
    source: 'https://docs.yearn.fi/developers/addresses/v3-contracts',
    contracts: {
      1: [
        ['0x1112dbCF805682e828606f74AB717abf4b4FD8DE', 'vault router', 'vault'],
        ['0xdA816459F1AB5631232FE5e97a05BBBb94970c95', 'yvDAI', 'vault'],
        ['0xa354F35829Ae975e850e23e9615b11Da1B3dC4DE', 'yvUSDC', 'vault'],
        ['0xa258C4606Ca8206D8aA700cE2143D7db854D168c', 'yvWETH', 'vault'],
      ],
    },
  },
  {
    protocol: 'Convex',
    source: 'https://docs.convexfinance.com/convexfinance/faq/contract-addresses',
    contracts: {
      1: [
        ['0xF403C135812408BFbE8713b5A23a04b3D48AAE31', 'booster', 'staking'],
        ['0xaa0C3f5F7DFD688C6E646F66CD2a6B66ACdbE434', 'staked cvxCRV', 'staking'],
        ['0x8014595F2AB54cD7c604B00E9fb932176fDc86Ae', 'CRV deposit', 'staking'],
        ['0x72a19342e8F1838460eBFCCEf09F6585e32db86E', 'vlCVX', 'staking'],
      ],
    },
  },
  {
    protocol: 'Aura',
    source: 'https://docs.aura.finance/developers/deployed-addresses',
    contracts: { 1: [['0xA57b8d98dAE62B26Ec3bcC4a365338157060B234', 'booster', 'staking']] },
  },
  {
    protocol: 'Chainlink',
    source: 'https://docs.chain.link/resources/link-token-contracts',
    contracts: { 1: [['0xBc10f2E862ED4502144c7d632a3459F49DFCDB5e', 'LINK staking', 'staking']] },
  },
  {
    protocol: 'The Graph',
    source: 'https://github.com/graphprotocol/contracts/blob/main/packages/contracts/addresses.json',
    contracts: {
      1: [['0xF55041E37E12cD407ad00CE2910B8269B01263b9', 'staking', 'staking']],
      42161: [['0x00669A4CF01450B64E8A2A20E9b1FCB71E61eF03', 'staking', 'staking']],
    },
  },
  {
    protocol: 'Livepeer',
    source: 'https://docs.livepeer.org/references/contract-addresses',
    contracts: { 42161: [['0x35Bcf3c30594191d53231E4FF333E8A770453e40', 'bonding manager', 'staking']] },
  },
]
