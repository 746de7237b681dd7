/**
 * Files as other wallets export them, with made-up data. Their formats follow the sources named in `metamask.ts` and
 * `lists.ts`.
 */

export const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
export const SHOP = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const SAVINGS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const COLD = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const contact = (address: string, name: string, chainId: string) => ({
  address,
  name,
  chainId,
  isEns: false,
  memo: '',
  addressType: 'EOA',
})

const addressBook = {
  '0x1': { [MIRA]: contact(MIRA, 'Mira', '0x1'), [SHOP]: contact(SHOP, 'Corner shop', '0x1') },
  '0x89': { [MIRA]: contact(MIRA, 'Mira', '0x89') },
}

const account = (id: string, address: string, name: string, type = 'eip155:eoa') => ({
  id,
  address,
  type,
  options: {},
  methods: ['personal_sign'],
  scopes: ['eip155:0'],
  metadata: { name, importTime: 1_700_000_000_000, keyring: { type: 'HD Key Tree' } },
})

const internalAccounts = {
  accounts: {
    'id-1': account('id-1', SAVINGS.toLowerCase(), 'Savings'),
    'id-2': account('id-2', COLD.toLowerCase(), 'Cold box'),
    'id-3': account('id-3', '8sh3qkBUi8Y6p9XzTnqsGSjzWkfYjLb6vNQ4MfTq7h2C', 'Solana Account 1', 'solana:data-account'),
  },
  selectedAccount: 'id-1',
}

export const networkConfigurationsByChainId = {
  '0x1': {
    chainId: '0x1',
    name: 'Ethereum Mainnet',
    nativeCurrency: 'ETH',
    rpcEndpoints: [
      { networkClientId: 'mainnet', type: 'infura', url: 'https://mainnet.infura.io/v3/{infuraProjectId}' },
      { networkClientId: 'own', type: 'custom', name: 'Own node', url: 'https://eth.home.example/rpc' },
    ],
    defaultRpcEndpointIndex: 1,
    blockExplorerUrls: ['https://etherscan.io'],
    defaultBlockExplorerUrlIndex: 0,
  },
  '0x15838': {
    chainId: '0x15838',
    name: 'Orbit',
    nativeCurrency: 'OTT',
    rpcEndpoints: [{ networkClientId: 'orbit', type: 'custom', url: 'https://rpc.orbit.example' }],
    defaultRpcEndpointIndex: 0,
    blockExplorerUrls: ['https://scan.orbit.example'],
    defaultBlockExplorerUrlIndex: 0,
  },
}

/** MetaMask since version 12: Settings, “Export your data”. */
export const userData = {
  preferences: { currentLocale: 'en', theme: 'os' },
  internalAccounts: { internalAccounts },
  addressBook: { addressBook },
  network: { networkConfigurationsByChainId },
}

/** MetaMask until version 11, whose exported file has no accounts. */
export const oldUserData = {
  preferences: { currentLocale: 'en', theme: 'light' },
  addressBook: { addressBook },
  network: {
    networkConfigurations: {
      'network-configuration-id-1': {
        chainId: '0x15838',
        nickname: 'Orbit',
        rpcPrefs: { blockExplorerUrl: 'https://scan.orbit.example' },
        rpcUrl: 'https://rpc.orbit.example',
        ticker: 'OTT',
      },
      'network-configuration-id-2': {
        chainId: '0x15838',
        nickname: 'Orbit, second node',
        rpcPrefs: {},
        rpcUrl: 'https://two.orbit.example',
        ticker: 'OTT',
      },
    },
  },
}

export const stateLog = {
  appState: {},
  metamask: { isUnlocked: true, internalAccounts, addressBook, networkConfigurationsByChainId },
}

export const mobileStateLog = {
  engine: {
    backgroundState: {
      AddressBookController: { addressBook },
      AccountsController: { internalAccounts },
      NetworkController: { networkConfigurationsByChainId },
      PreferencesController: { identities: {} },
    },
  },
}

/** Rainbow writes names without quotes, even names with commas. */
export const rainbowCsv = [
  'public_address,name,type,wallet_group',
  `${SAVINGS},Savings,Recovery Phrase,Wallet Group 0`,
  `${COLD},Cold, in the box,Hardware Wallet,-`,
  `${MIRA},mira.example,Watching,-`,
  '',
].join('\n')
