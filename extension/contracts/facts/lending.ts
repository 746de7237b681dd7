/** Lending markets and loan-backed stablecoins. */
import type { FactGroup } from './fact.ts'

export const LENDING_FACTS: readonly FactGroup[] = [
  {
    protocol: 'Compound',
    source: 'https://docs.compound.finance/#networks',
    contracts: {
      1: [
        ['0xc3d688B66703497DAA19211EEdff47f25384cdc3', 'cUSDCv3', 'lending'],
        ['0xA17581A9E3356d9A858b789D68B4d866e593aE94', 'cWETHv3', 'lending'],
        ['0x3Afdc9BCA9213A35503b077a6072F3D0d5AB0840', 'cUSDTv3', 'lending'],
        ['0x1B0e765F6224C21223AeA2af16c1C46E38885a40', 'rewards', 'lending'],
        ['0xa397a8C2086C554B531c02E29f3291c9704B00c7', 'bulker', 'lending'],
        ['0x3d9819210A31b4961b30EF54bE2aeD79B9c9Cd3B', 'v2 comptroller', 'lending'],
        ['0x4Ddc2D193948926D02f9B1fE9e1daa0718270ED5', 'cETH', 'lending'],
        ['0x39AA39c021dfbaE8faC545936693aC917d5E7563', 'cUSDC', 'lending'],
        ['0x5d3a536E4D6DbD6114cc1Ead35777bAB948E3643', 'cDAI', 'lending'],
        ['0xf650C3d88D12dB855b8bf7D11Be6C55A4e07dCC9', 'cUSDT', 'lending'],
        ['0xccF4429DB6322D5C611ee964527D42E5d685DD6a', 'cWBTC', 'lending'],
        ['0xc0Da02939E1441F497fd74F78cE7Decb17B66529', 'governor', 'governance'],
      ],
      10: [['0x2e44e174f7D53F0212823acC11C01A11d58c5bCB', 'cUSDCv3', 'lending']],
      137: [['0xF25212E676D1F7F89Cd72fFEe66158f541246445', 'cUSDCv3 (USDC.e)', 'lending']],
      8453: [
        ['0xb125E6687d4313864e53df431d5425969c15Eb2F', 'cUSDCv3', 'lending'],
        ['0x46e6b214b524310239732D51387075E0e70970bf', 'cWETHv3', 'lending'],
      ],
      42161: [
        ['0x9c4ec768c28520B50860ea7a15bd7213a9fF58bf', 'cUSDCv3', 'lending'],
        ['0xA5EDBDD9646f8dFF606d7448e414884C7d905dCA', 'cUSDCv3 (USDC.e)', 'lending'],
      ],
    },
  },
  {
    protocol: 'Spark',
    source: 'https://docs.spark.fi/dev/deployments/mainnet-addresses',
    contracts: {
      1: [
        ['0xC13e21B648A5Ee794902342038FF3aDAB66BE987', 'lending pool', 'lending'],
        ['0xBD7D6a9ad7865463DE44B05F04559f65e3B11704', 'native coin gateway', 'lending'],
      ],
      100: [['0x2Dae5307c5E3FD1CF5A72Cb6F698f915860607e0', 'lending pool', 'lending']],
    },
  },
  {
    protocol: 'Sky',
    source: 'https://chainlog.skyeco.com/',
    contracts: {
      1: [
        ['0x83F20F44975D03b1b09e64809B757c47f942BEeA', 'sDAI', 'vault'],
        ['0xa3931d71877C0E7a3148CB7Eb4463524FEc27fbD', 'sUSDS', 'vault'],
        ['0x3225737a9Bbb6473CB4a45b7244ACa2BeFdB276A', 'DAI-USDS converter', 'token'],
        ['0xBDcFCA946b6CDd965f99a839e4435Bcdc1bc470B', 'MKR-SKY converter', 'token'],
        ['0xCe01C90dE7FD1bcFa39e237FE6D8D9F569e8A6a3', 'staking engine', 'staking'],
        ['0xf6e72Db5454dd049d0788e411b06CfAF16853042', 'USDC stability module', 'lending'],
        ['0x373238337Bfe1146fb49989fc222523f83081dDb', 'DSR manager', 'vault'],
        ['0x197E90f9FAD81970bA7976f33CbD77088E5D7cf7', 'DAI savings rate', 'vault'],
        ['0x35D1b3F3D7966A1DFe207aa4514C12a259A0492B', 'Vat', 'lending'],
        ['0x9759A6Ac90977b93B58547b4A71c78317f391A28', 'DAI join', 'lending'],
        ['0x5ef30b9986345249bc32d8928B7ee64DE9435E39', 'CDP manager', 'lending'],
        ['0x4678f0a6958e4D2Bc4F1BAF7Bc52E8F3564f3fE4', 'proxy registry', 'lending'],
      ],
    },
  },
  {
    protocol: 'Euler',
    source: 'https://docs.euler.finance/developers/contract-addresses',
    contracts: { 1: [['0x0C9a3dd6b8F28529d72d7f9cE918D493519EE383', 'vault connector', 'lending']] },
  },
  {
    protocol: 'Fluid',
    source: 'https://docs.fluid.instadapp.io/',
    contracts: { 1: [['0x52Aa899454998Be5b000Ad077a46Bbe360F4e497', 'liquidity', 'lending']] },
  },
  {
    protocol: 'Instadapp',
    source: 'https://docs.instadapp.io/',
    contracts: { 1: [['0x2971AdFa57b20E5a416aE5a708A8655A9c74f723', 'account index', 'lending']] },
  },
  {
    protocol: 'Liquity',
    source: 'https://docs.liquity.org/liquity-v1/documentation/resources',
    contracts: {
      1: [
        ['0x24179CD81c9e782A4096035f7eC97fB8B783e007', 'borrower operations', 'lending'],
        ['0xA39739EF8b0231DbFA0DcdA07d7e29faAbCf4bb2', 'trove manager', 'lending'],
        ['0x66017D22b0f8556afDd19FC67041899Eb65a21bb', 'stability pool', 'vault'],
        ['0x4f9Fbb3f1E99B56e0Fe2892e623Ed36A76Fc605d', 'LQTY staking', 'staking'],
      ],
    },
  },
  {
    protocol: 'Venus',
    source: 'https://docs-v4.venus.io/deployed-contracts/core-pool',
    contracts: {
      56: [
        ['0xfD36E2c2a6789Db23113685031d7F16329158384', 'comptroller', 'lending'],
        ['0xA07c5b74C9B40447a954e1466938b865b6BBea36', 'vBNB', 'lending'],
        ['0xfD5840Cd36d94D7229439859C0112a4185BC0255', 'vUSDT', 'lending'],
        ['0xecA88125a5ADbe82614ffC12D0DB554E2e2867C8', 'vUSDC', 'lending'],
        ['0x882C173bC7Ff3b7786CA16dfeD3DFFfb9Ee7847B', 'vBTC', 'lending'],
        ['0xf508fCD89b8bd15579dc79A6827cB4686A3592c8', 'vETH', 'lending'],
        ['0x051100480289e704d20e9DB4804837068f3f9204', 'XVS vault', 'staking'],
      ],
    },
  },
  {
    protocol: 'BENQI',
    source: 'https://docs.benqi.fi/resources/contracts',
    contracts: {
      43114: [
        ['0x486Af39519B4Dc9a7fCcd318217352830E8AD9b4', 'comptroller', 'lending'],
        ['0x5C0401e81Bc07Ca70fAD469b451682c0d747Ef1c', 'qiAVAX', 'lending'],
        ['0x2b2C81e08f1Af8835a78Bb2A90AE924ACE0eA4bE', 'sAVAX', 'staking'],
      ],
    },
  },
  {
    protocol: 'Radiant',
    source: 'https://docs.radiant.capital/radiant/contracts-and-security/arbitrum-contracts',
    contracts: { 42161: [['0xF4B1486DD74D07706052A33d31d7c0AAFD0659E1', 'lending pool', 'lending']] },
  },
  {
    protocol: 'Dolomite',
    source: 'https://docs.dolomite.io/smart-contract-addresses',
    contracts: { 42161: [['0x6Bd780E7fDf01D77e4d475c821f1e7AE05409072', 'margin', 'lending']] },
  },
]
