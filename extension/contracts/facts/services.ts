/** Services for collectibles, names, voting, attestations, payments and privacy. */
import { type FactGroup, onEach } from './fact.ts'

export const SERVICE_FACTS: readonly FactGroup[] = [
  {
    protocol: 'OpenSea',
    source: 'https://docs.opensea.io/docs/creator-fee-enforcement',
    contracts: onEach(
      [1, 10, 137, 8453, 42161, 43114, 81457, 7777777],
      [['0x0000a26b00c1F0DF003000390027140000fAa719', 'fees', 'fees']],
    ),
  },
  {
    protocol: 'Blur',
    source: 'https://docs.blur.foundation/contracts',
    contracts: {
      1: [
        ['0x000000000000Ad05Ccc4F10045630fb830B95127', 'exchange v1', 'marketplace'],
        ['0xb2ecfE4E4D61f8790bbb9DE2D1259B9e2410CEA5', 'exchange v2', 'marketplace'],
        ['0x00000000000111AbE46ff893f3B2fdF1F759a8A8', 'execution delegate', 'marketplace'],
        ['0x29469395eAf6f95920E59F858042f0e28D98a20B', 'Blend', 'lending'],
        ['0x0000000000A39bb272e79075ade125fd351887Ac', 'bidding pool', 'marketplace'],
      ],
    },
  },
  {
    protocol: 'LooksRare',
    source: 'https://docs.looksrare.org/developers/deployed-contract-addresses',
    contracts: {
      1: [
        ['0x0000000000E655fAe4d56241588680F86E3b2377', 'exchange v2', 'marketplace'],
        ['0x000000000060C4Ca14CfC4325359062ace33Fe3D', 'transfer manager', 'marketplace'],
      ],
    },
  },
  {
    protocol: 'X2Y2',
    source: 'https://docs.x2y2.io/developers/contracts',
    contracts: {
      1: [
        ['0x74312363e45DCaBA76c59ec49a7Aa8A65a67EeD3', 'exchange', 'marketplace'],
        ['0xF849de01B080aDC3A814FaBE1E2087475cF2E354', 'ERC-721 delegate', 'marketplace'],
      ],
    },
  },
  {
    protocol: 'Limit Break',
    source: 'https://github.com/limitbreakinc/payment-processor-v2',
    contracts: { 1: [['0x9A1D00bEd7CD04BCDA516d721A596eb22Aac6834', 'payment processor', 'marketplace']] },
  },
  {
    protocol: 'SuperRare',
    source: 'https://help.superrare.com/',
    contracts: { 1: [['0x6D7c44773C52D396F43c2D511B81aa168E9a7a42', 'bazaar', 'marketplace']] },
  },
  {
    protocol: 'Foundation',
    source: 'https://os.foundation.app/docs/developer/addresses',
    contracts: { 1: [['0xcDA72070E455bb31C7690a170224Ce43623d0B6f', 'market', 'marketplace']] },
  },
  {
    protocol: 'sudoswap',
    source: 'https://docs.sudoswap.xyz/contracts/',
    contracts: {
      1: [
        ['0x2B2e8cDA09bBA9660dCA5cB6233787738Ad68329', 'router', 'marketplace'],
        ['0xb16c1342E617A5B6E4b631EB114483FDB289c0A4', 'pair factory', 'marketplace'],
      ],
    },
  },
  {
    protocol: 'Nouns',
    source: 'https://docs.nouns.wtf/',
    contracts: {
      1: [
        ['0x830BD73E4184ceF73443C15111a1DF14e495C706', 'auction house', 'marketplace'],
        ['0x6f3E6272A167e8AcCb32072d08E0957F9c79223d', 'governor', 'governance'],
      ],
    },
  },
  {
    protocol: 'ENS',
    source: 'https://docs.ens.domains/dao/governance/process',
    contracts: { 1: [['0x323A76393544d5ecca80cd6ef2A560C6a395b7E3', 'governor', 'governance']] },
  },
  {
    protocol: 'Basenames',
    source: 'https://github.com/base/basenames#deployed-addresses',
    contracts: {
      8453: [
        ['0x4cCb0BB02FCABA27e82a56646E81d8c5bC4119a5', 'registrar controller', 'names'],
        ['0xC6d566A56A1aFf6508b41f6c90ff131615583BCD', 'resolver', 'names'],
      ],
    },
  },
  {
    protocol: 'Farcaster',
    source: 'https://docs.farcaster.xyz/reference/contracts/deployments',
    contracts: {
      10: [
        ['0x00000000Fc6c5F01Fc30151999387Bb99A9f489b', 'id registry', 'names'],
        ['0x00000000Fc25870C6eD6b6c7E41Fb078b7656f69', 'id gateway', 'names'],
        ['0x00000000fC56947c7E7183f8Ca4B62398CaAdf0B', 'key gateway', 'names'],
        ['0x00000000fcCe7f938e7aE6D3c335bD6a1a7c593D', 'storage', 'names'],
        ['0x00000000FC04c910A0b5feA33b03E0447AD0B0aA', 'bundler', 'names'],
      ],
    },
  },
  {
    protocol: 'Snapshot',
    source: 'https://docs.snapshot.box/user-guides/delegation',
    contracts: onEach(
      [1, 10, 56, 100, 137, 8453, 42161],
      [['0x469788fE6E9E9681C6ebF3bF78e7Fd26Fc015446', 'delegate registry', 'governance']],
    ),
  },
  {
    protocol: 'EAS',
    source: 'https://docs.attest.org/docs/quick--start/contracts',
    contracts: {
      1: [['0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587', 'attestations', 'other']],
      10: [['0x4200000000000000000000000000000000000021', 'attestations', 'other']],
      137: [['0x5E634ef5355f45A855d02D66eCD687b1502AF790', 'attestations', 'other']],
      8453: [['0x4200000000000000000000000000000000000021', 'attestations', 'other']],
      42161: [['0xbD75f629A22Dc1ceD33dDA0b68c546A1c035c458', 'attestations', 'other']],
      42220: [['0x72E1d8ccf5299fb36fEfD8CC4394B8ef7e98Af92', 'attestations', 'other']],
      59144: [['0xaEF4103A04090071165F78D45D83A0C0782c2B2a', 'attestations', 'other']],
      534352: [['0xC47300428b6AD2c7D03BB76D05A176058b47E6B0', 'attestations', 'other']],
      11155111: [['0xC2679fBD37d54388Ce493F1DB75320D236e1815e', 'attestations', 'other']],
    },
  },
  {
    protocol: 'Gitcoin',
    source: 'https://docs.allo.gitcoin.co/project/addresses',
    contracts: onEach([1, 10, 137, 8453, 42161], [['0x1133eA7Af70876e64665ecD07C0A0476d09465a1', 'Allo', 'other']]),
  },
  {
    protocol: 'Request',
    source: 'https://docs.request.network/get-started/smart-contract-addresses',
    contracts: { 1: [['0x370DE27fdb7D1Ff1e1BaA7D11c5820a324Cf623C', 'ERC-20 fee proxy', 'fees']] },
  },
  {
    protocol: 'LlamaPay',
    source: 'https://docs.llamapay.io/technical-stuff/contracts',
    contracts: onEach(
      [1, 10, 56, 100, 137, 250, 42161, 43114],
      [['0xde1C04855c2828431ba637675B6929A684f84C7F', 'factory', 'other']],
    ),
  },
  {
    protocol: 'Disperse',
    source: 'https://disperse.app/',
    contracts: { 1: [['0xD152f549545093347A162Dce210e7293f1452150', 'disperse', 'other']] },
  },
  {
    protocol: 'RAILGUN',
    source: 'https://docs.railgun.org/developer-guide/smart-contracts',
    contracts: { 1: [['0xFA7093CDD9EE6932B4eb2c9e1cde7CE00B1FA4b9', 'privacy pool', 'other']] },
  },
  {
    protocol: 'Celo',
    source: 'https://docs.celo.org/contracts/core-contracts',
    contracts: {
      42220: [
        ['0xD533Ca259b330c7A88f74E000a3FaEa2d63B7972', 'governance', 'governance'],
        ['0x6cC083Aed9e3ebe302A6336dBC7c921C9f03349E', 'locked CELO', 'staking'],
        ['0x8D6677192144292870907E3Fa8A5527fE55A7ff6', 'election', 'staking'],
      ],
    },
  },
  {
    protocol: 'Circles',
    source: 'https://docs.aboutcircles.com/',
    contracts: { 100: [['0xc12C1E50ABB450d6205Ea2C3Fa861b3B834d13e8', 'hub', 'other']] },
  },
]
