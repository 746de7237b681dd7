/** Bridges and messaging between networks. */
import { type FactGroup, onEach } from './fact.ts'

export const BRIDGE_FACTS: readonly FactGroup[] = [
  {
    protocol: 'Polygon',
    source: 'https://docs.polygon.technology/pos/reference/contracts/genesis-contracts/',
    contracts: {
      1: [
        ['0xA0c68C638235ee32657e8f720a23ceC1bFc77C77', 'PoS bridge', 'bridge'],
        ['0x40ec5B33f54e0E8A33A975908C5BA1c14e5BbbDf', 'ERC-20 predicate', 'bridge'],
        ['0x8484Ef722627bf18ca5Ae6BcF031c23E6e922B30', 'ether predicate', 'bridge'],
        ['0x401F6c983eA34274ec46f84D70b31C151321188b', 'Plasma bridge', 'bridge'],
        ['0x2a3DD3EB832aF982ec71669E178424b10Dca2EDe', 'Agglayer bridge', 'bridge'],
        ['0x5e3Ef299fDDf15eAa0432E6e66473ace8c13D908', 'stake manager', 'staking'],
        ['0x29e7DF7b6A1B2b07b731457f499E1696c60E2C4e', 'POL migration', 'token'],
      ],
    },
  },
  {
    protocol: 'ZKsync',
    source: 'https://docs.zksync.io/zk-stack/zk-chain-addresses',
    contracts: {
      1: [
        ['0x303a465B659cBB0ab36eE643eA362c509EEb5213', 'bridgehub', 'bridge'],
        ['0xD7f9f54194C633F36CCD5F3da84ad4a1c38cB2cB', 'shared bridge', 'bridge'],
        ['0x8829AD80E425C646DAB305381ff105169FeEcE56', 'asset router', 'bridge'],
        ['0x32400084C286CF3E17e7B677ea9583e60a000324', 'rollup', 'bridge'],
        ['0x57891966931Eb4Bb6FB81430E6cE0A03AAbDe063', 'ERC-20 bridge', 'bridge'],
      ],
    },
  },
  {
    protocol: 'Scroll',
    source: 'https://docs.scroll.io/en/developers/scroll-contracts/',
    contracts: {
      1: [
        ['0xF8B1378579659D8F7EE5f3C929c2f3E332E41Fd6', 'L1 gateway router', 'bridge'],
        ['0x7F2b8C31F88B6006c382775eea88297Ec1e3E905', 'L1 ETH gateway', 'bridge'],
        ['0x6774Bcbd5ceCeF1336b5300fb5186a12DDD8b367', 'L1 messenger', 'bridge'],
      ],
      534352: [
        ['0x4C0926FF5252A435FD19e10ED15e5a249Ba19d79', 'L2 gateway router', 'bridge'],
        ['0x6EA73e05AdC79974B931123675ea8F78FfdacDF0', 'L2 ETH gateway', 'bridge'],
      ],
    },
  },
  {
    protocol: 'Linea',
    source: 'https://docs.linea.build/network/build/contracts',
    contracts: {
      1: [['0x051F1D88f0aF5763fB888eC4378b4D8B29ea3319', 'token bridge', 'bridge']],
      59144: [['0x353012dc4a9A6cF55c941bADC267f82004A8ceB9', 'token bridge', 'bridge']],
    },
  },
  {
    protocol: 'Starknet',
    source: 'https://docs.starknet.io/learn/cheatsheets/starkgate-reference',
    contracts: { 1: [['0xae0Ee0A63A2cE6BaeEFFE56e7714FB4EFE48D419', 'ether bridge', 'bridge']] },
  },
  {
    protocol: 'Mantle',
    source: 'https://docs.mantle.xyz/network/system-information/on-chain-system/key-l1-contract-address',
    contracts: { 1: [['0x95fC37A27a2f68e3A647CDc081F0A89bb47c3012', 'L1StandardBridge', 'bridge']] },
  },
  {
    protocol: 'Immutable',
    source: 'https://docs.immutable.com/products/zkEVM/architecture/bridge',
    contracts: { 1: [['0xBa5E35E26Ae59c7aea6F029B68c6460De2d13eB6', 'zkEVM bridge', 'bridge']] },
  },
  {
    protocol: 'Ronin',
    source: 'https://docs.roninchain.com/apps/ronin-bridge',
    contracts: {
      1: [['0x64192819Ac13Ef72bF6b5AE239AC672B43a9AF08', 'bridge', 'bridge']],
      2020: [['0x0CF8fF40a508bdBc39fBe1Bb679dCBa64E65C7Df', 'bridge', 'bridge']],
    },
  },
  {
    protocol: 'Gnosis',
    source: 'https://docs.gnosischain.com/bridges/',
    contracts: {
      1: [
        ['0x88ad09518695c6c3712AC10a214bE5109a655671', 'Omnibridge', 'bridge'],
        ['0x4aa42145Aa6Ebf72e164C9bBC74fbD3788045016', 'xDai bridge', 'bridge'],
      ],
      100: [
        ['0xf6A78083ca3e2a662D6dd1703c939c8aCE2e268d', 'Omnibridge', 'bridge'],
        ['0x7301CFA0e1756B71869E93d4e4Dca5c7d0eb0AA6', 'xDai bridge', 'bridge'],
      ],
    },
  },
  {
    protocol: 'Stargate',
    source: 'https://docs.stargate.finance/resources/contracts/mainnet-contracts',
    contracts: {
      1: [
        ['0x8731d54E9D02c286767d56ac03e8037C07e01e98', 'v1 router', 'bridge'],
        ['0x150f94B44927F078737562f0fcF3C95c01Cc2376', 'v1 ETH router', 'bridge'],
        ['0x77b2043768d28E9C9aB44E1aBfC95944bcE57931', 'native coin pool', 'bridge'],
        ['0xc026395860Db2d07ee33e05fE50ed7bD583189C7', 'USDC pool', 'bridge'],
        ['0x933597a323Eb81cAe705C5bC29985172fd5A3973', 'USDT pool', 'bridge'],
      ],
      10: [
        ['0xB0D502E938ed5f4df2E681fE6E419ff29631d62b', 'v1 router', 'bridge'],
        ['0xe8CDF27AcD73a434D661C84887215F7598e7d0d3', 'native coin pool', 'bridge'],
        ['0xcE8CcA271Ebc0533920C83d39F417ED6A0abB7D0', 'USDC pool', 'bridge'],
      ],
      56: [['0x4a364f8c717cAAD9A442737Eb7b8A55cc6cf18D8', 'v1 router', 'bridge']],
      137: [['0x45A01E4e04F14f7A4a6702c74187c5F6222033cd', 'v1 router', 'bridge']],
      8453: [
        ['0x45f1A95A4D3f3836523F5c83673c797f4d4d263B', 'v1 router', 'bridge'],
        ['0xdc181Bd607330aeeBEF6ea62e03e5e1Fb4B6F7C7', 'native coin pool', 'bridge'],
        ['0x27a16dC786820B16E5C9028B75B99f6f604b4D26', 'USDC pool', 'bridge'],
      ],
      42161: [
        ['0x53Bf833A5d6c4ddA888F69c22C88C9f356a41614', 'v1 router', 'bridge'],
        ['0xA45B5130f36CDcA45667738e2a258AB09f4A5f7F', 'native coin pool', 'bridge'],
        ['0xe8CDF27AcD73a434D661C84887215F7598e7d0d3', 'USDC pool', 'bridge'],
      ],
      43114: [['0x45A01E4e04F14f7A4a6702c74187c5F6222033cd', 'v1 router', 'bridge']],
    },
  },
  {
    protocol: 'LayerZero',
    source: 'https://docs.layerzero.network/v2/deployments/deployed-contracts',
    contracts: onEach(
      [1, 10, 56, 137, 250, 8453, 42161, 43114],
      [['0x1a44076050125825900e736c501f859c50fE728c', 'EndpointV2', 'bridge']],
    ),
  },
  {
    protocol: 'Celer',
    source: 'https://cbridge-docs.celer.network/reference/contract-addresses',
    contracts: { 1: [['0x5427FEFA711Eff984124bFBB1AB6fbf5E3DA1820', 'cBridge', 'bridge']] },
  },
  {
    protocol: 'Synapse',
    source: 'https://docs.synapseprotocol.com/docs/Contracts',
    contracts: { 1: [['0x2796317b0fF8538F253012862c06787Adfb8cEb6', 'bridge', 'bridge']] },
  },
  {
    protocol: 'Chainlink',
    source: 'https://docs.chain.link/ccip/directory/mainnet',
    contracts: {
      1: [['0x80226fc0Ee2b096224EeAc085Bb9a8cba1146f7D', 'CCIP router', 'bridge']],
      10: [['0x3206695CaE29952f4b0c22a169725a865bc8Ce0f', 'CCIP router', 'bridge']],
      56: [['0x34B03Cb9086d7D758AC55af71584F81A598759FE', 'CCIP router', 'bridge']],
      137: [['0x849c5ED5a80F5B408Dd4969b78c2C8fdf0565Bfe', 'CCIP router', 'bridge']],
      8453: [['0x881e3A65B4d4a04dD529061dd0071cf975F58bCD', 'CCIP router', 'bridge']],
      42161: [['0x141fa059441E0ca23ce184B6A78bafD2A517DdE8', 'CCIP router', 'bridge']],
      43114: [['0xF4c7E640EdA248ef95972845a62bdC74237805dB', 'CCIP router', 'bridge']],
    },
  },
]
