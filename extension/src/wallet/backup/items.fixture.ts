/** Items of backups for tests, and the arbitrary contents of a wallet. */
import { toAddress } from '@heliograph/shared/evm/address'
import { encodeData } from '@heliograph/shared/evm/hex'
import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import type { BackupItem, BackupValues, SectionName } from '../../messages.ts'

export const item = <S extends SectionName>(section: S, value: BackupValues[S]): BackupItem =>
  ({ kind: 'item', section, value }) as BackupItem

const hashOf = (text: string) => encodeData(keccak_256(new TextEncoder().encode(text)))

/** Returns one of many addresses, which look different. */
export const addressOf = (at: number): string => toAddress(hashOf(`address ${at}`).slice(0, 42))

const ADDRESSES = Array.from({ length: 10 }, (_, at) => addressOf(at))
const address = fc.constantFrom(...ADDRESSES)
const name = fc.constantFrom('Mira', 'Shop', 'Till', 'Oak', 'Port')
const chainId = fc.constantFrom(1, 4242, 4243, 8217)
const addedChain = fc.constantFrom(4242, 4243)
const origin = fc.constantFrom('https://one.example', 'https://two.example', 'http://localhost:3000')
const url = fc.constantFrom('https://a.example/', 'https://b.example/', 'http://10.0.0.2:8545/')

const record = <S extends SectionName>(section: S, value: fc.Arbitrary<BackupValues[S]>): fc.Arbitrary<BackupItem> =>
  value.map(one => item(section, one))

const activity: fc.Arbitrary<BackupValues['activity']> = fc
  .record({
    number: fc.nat(30),
    account: address,
    chainId,
    status: fc.constantFrom('confirmed' as const, 'failed' as const),
  })
  .map(({ number, account, chainId: chain, status }) => ({
    hash: hashOf(`transaction ${number}`),
    raw: null,
    chainId: chain,
    account,
    nonce: '0x1',
    key: `https://one.example ${number}`,
    origin: null,
    purpose: 'transaction' as const,
    replaces: null,
    to: ADDRESSES[0] ?? null,
    value: '0x1',
    data: '0x',
    gas: '0x5208',
    price: '0x1',
    status,
    failure: status === 'failed' ? { name: 'reverted' as const, reason: null } : null,
    createdAt: number,
    sentAt: number,
    settledAt: number,
    block: '0x1',
    fee: '0x1',
  }))

const anyItem: fc.Arbitrary<BackupItem> = fc.oneof(
  record('accounts', fc.record({ address, name, hidden: fc.boolean(), from: fc.constant(null) })),
  record('contacts', fc.record({ address, name, ens: fc.constantFrom(null, { name: 'mira.eth', chainId: 1 }) })),
  record(
    'networks',
    fc.record({
      chainId: addedChain,
      title: fc.constantFrom('Harbor', 'Orbit'),
      symbol: fc.constantFrom('HBR', 'OTT'),
      explorerUrl: fc.constantFrom('', 'https://scan.example/'),
      prefix: fc.constant('eth'),
      signedMessageName: fc.constant('Ethereum'),
      testnet: fc.boolean(),
    }),
  ),
  record(
    'nodes',
    fc
      .record({
        chainId,
        rpcUrls: fc.uniqueArray(url, { minLength: 1, maxLength: 3 }),
        use: fc.constantFrom({}, { also: 'comparing' as const }, { accounts: [ADDRESSES[0] ?? ''] }),
      })
      .map(({ chainId: chain, rpcUrls: [first = '', ...others], use }) => ({
        chainId: chain,
        rpcUrls: [first, ...others],
        uses: Object.fromEntries(Object.keys(use).length > 0 ? others.map(other => [other, use]) : []),
      })),
  ),
  record('hiddenNetworks', fc.record({ chainId })),
  record(
    'tokens',
    fc.record({
      chainId,
      address,
      symbol: fc.constantFrom('AAA', 'BBB'),
      decimals: fc.constantFrom(6, 18),
      isFound: fc.boolean(),
    }),
  ),
  record(
    'tokenChoices',
    fc.record({
      chainId,
      account: address,
      address,
      kind: fc.constantFrom('erc20', 'erc721'),
      ids: fc.constantFrom([], ['1', '2']),
      symbol: fc.constantFrom(null, 'AAA'),
      decimals: fc.constant(null),
      choice: fc.constantFrom('shown', 'hidden'),
    }),
  ),
  record(
    'interfaces',
    fc.record({
      name,
      place: fc.option(fc.record({ chainId, address })),
      functions: fc.constantFrom(['f(uint256 a)'], ['g()', 'h((address to, uint256 value)[] all)']),
    }),
  ),
  record(
    'sites',
    fc.record({ origin, accounts: fc.uniqueArray(address, { minLength: 1, maxLength: 3 }), since: fc.nat() }),
  ),
  record(
    'siteSettings',
    fc.record({
      origin,
      asMetaMask: fc.boolean(),
      asEthereum: fc.constant(true),
      readsLocalNode: fc.boolean(),
      isBlocked: fc.boolean(),
    }),
  ),
  record('siteNetworks', fc.record({ origin, chainId })),
  record('relays', fc.record({ url: fc.constantFrom('wss://one.example', 'ws://127.0.0.1:5000/a') })),
  record(
    'settings',
    fc.oneof(
      fc.record({ name: fc.constant('autoLock' as const), value: fc.constantFrom(1, 15, 60) }),
      fc.record({ name: fc.constant('currency' as const), value: fc.constantFrom('USD', 'EUR') }),
      fc.record({ name: fc.constant('ipfsGateway' as const), value: url }),
      fc.record({
        name: fc.constant('networkOrder' as const),
        value: fc.constantFrom('added' as const, 'name' as const),
      }),
      fc.record({ name: fc.constant('looksByItself' as const), value: fc.boolean() }),
      fc.record({
        name: fc.constantFrom(
          'allowsUnreadable' as const,
          'allowsForeignSignIn' as const,
          'readsOffchainNames' as const,
        ),
        value: fc.boolean(),
      }),
    ),
  ),
  record('activity', activity),
)

/** Contents of a wallet. Some of them do not fit together, such as a site's accounts that the wallet does not have. */
export const contents: fc.Arbitrary<readonly BackupItem[]> = fc.array(anyItem, { maxLength: 40 })
