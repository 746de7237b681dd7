import { expect, test } from 'vitest'
import type { UiState } from '../../messages.ts'
import { diagnosticsOf } from './diagnostics.ts'

const secret = {
  address: '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408',
  name: 'Salary of Jo',
  origin: 'https://clinic.example',
  rpcUrl: 'https://node.example/v3/0123456789abcdef',
  title: 'Intranet',
}

const state: UiState = {
  phase: 'unlocked',
  passkeys: [],
  accounts: [{ address: secret.address, name: secret.name, kind: 'phrase', phraseId: 'p1' }],
  hiddenAccounts: [],
  phrases: [{ id: 'p1', words: 12, path: "m/44'/60'/0'/0", hasPassphrase: true }],
  contacts: [{ address: secret.address, name: secret.name }],
  selected: secret.address,
  networks: [
    {
      chainId: 1,
      title: secret.title,
      symbol: 'ETH',
      decimals: 18,
      testnet: false,
      rpcUrls: [secret.rpcUrl, 'http://localhost:8545/'],
      added: true,
    },
    {
      chainId: 2,
      title: 'Two',
      symbol: 'TWO',
      decimals: 18,
      testnet: false,
      rpcUrls: ['http://127.0.0.1:1'],
      added: false,
    },
    { chainId: 3, title: 'Three', symbol: 'TRE', decimals: 18, testnet: false, rpcUrls: [], added: false },
  ],
  networkList: { order: 'added', hidden: [] },
  chainId: 1,
  assets: [],
  sites: [
    {
      origin: secret.origin,
      since: 1,
      accounts: [secret.address],
      chainId: 1,
      asMetaMask: false,
      asEthereum: false,
      readsLocalNode: false,
      isBlocked: false,
      subscriptions: 0,
      asked: null,
    },
  ],
  requests: [],
  waiting: [],
  muted: [],
  remote: { relays: [], pairings: [], refused: [], proposals: [], sessions: [] },
  autoLockMinutes: 15,
  safety: { asksPassword: false, allowsUnreadable: true, allowsForeignSignIn: false, readsOffchainNames: false },
  currency: null,
  reset: [],
  unreadable: [],
  task: null,
  activity: [],
  looks: [],
  unseen: 0,
  looksByItself: true,
  resetChains: [],
}

test('diagnostics have counts and versions, and nothing that identifies a user', () => {
  const report = diagnosticsOf(state, '1.2.3', 'Browser/1')
  expect(report).toContain('Heliograph 1.2.3')
  expect(report).toContain('accounts: phrase 1')
  expect(report).toContain(
    'networks: 1 (added, rpc https elsewhere and http on this computer), 2 (rpc http on this computer), 3 (rpc none)',
  )
  for (const value of Object.values(secret)) expect(report).not.toContain(value)
  expect(report).not.toMatch(/0x|node\.example|clinic/)
})
