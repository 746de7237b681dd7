import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import type { BackupItem, EntryReview, ImportEntry, OpenedBackup, UiState } from '../../messages.ts'
import { addressOf, item } from '../backup/items.fixture.ts'
import { approveDescriptor } from '../descriptors/descriptors.fixture.ts'
import { MAX_CONTACTS } from '../review/contacts.ts'
import { memoryStore, type Store, type Stores } from '../storage/store.ts'
import {
  ADDRESS,
  connectedWallet,
  createdWallet,
  PASSWORD,
  PHRASE,
  SECOND,
  SITE,
  startNode,
  startWallet,
} from '../wallet.fixture.ts'
import type { Ui } from './parts.ts'

const FILE_PASSWORD = 'the password of a backup'
const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const SHOP = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const KEY = `0x${'00'.repeat(31)}01`
const OF_KEY = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
const HARBOR = 4242

/** A wallet in which everything is set that a backup has. */
const fullWallet = async () => {
  const node = startNode({ eth_chainId: () => encodeQuantity(HARBOR) })
  const headless = await connectedWallet({ chain: node.chain, relays: ['wss://relay.example'] })
  const { ui } = headless.wallet
  await headless.ask('eth_sendTransaction', { from: ADDRESS, to: MIRA, value: '0x1' })
  await ui.addAccount({ name: 'Savings' })
  await ui.addAccount({ name: 'Old' })
  await ui.importPrivateKey({ privateKey: KEY, name: 'Till' })
  await ui.addWatchOnly({ address: SHOP, name: 'Watched' })
  const { accounts } = await ui.getState(null)
  await ui.hideAccount({ address: accounts[2]?.address ?? '' })
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  await ui.saveNetwork({
    ...{ chainId: HARBOR, title: 'Harbor', symbol: 'HBR', explorerUrl: 'https://scan.example', prefix: 'harbor' },
    ...{ signedMessageName: 'Harbor', testnet: true, rpcUrls: ['https://node.example/'] },
  })
  await ui.setNetworkOrder({ order: 'name' })
  await ui.setNetworkHidden({ chainId: 8217, hidden: true })
  await ui.hideToken({ token: addressOf(1), address: ADDRESS, chainId: 1 })
  await ui.importEntries({
    entries: [item('tokens', { chainId: 1, address: addressOf(2), symbol: 'OAK', decimals: 6, isFound: false })],
  })
  await ui.addInterface({ name: 'Bakery', place: { chainId: 1, address: SHOP }, abi: 'function bake(uint256 loaves)' })
  await ui.addDescriptors({ json: JSON.stringify(approveDescriptor), fileName: 'coin.json' })
  await ui.setSiteChoice({ origin: SITE, asMetaMask: true, readsLocalNode: true })
  await ui.setSiteNetwork({ origin: SITE, chainId: HARBOR })
  await ui.setGateways({ ipfs: 'https://ipfs.example', arweave: null })
  await ui.setAutoLock({ minutes: 5 })
  await ui.setSafety({ allowsUnreadable: false })
  await ui.setLooking({ on: false })
  await ui.selectAccount({ address: ADDRESS })
  return headless
}

/** The part of the state that a backup keeps. */
const keptOf = (state: UiState) => ({
  accounts: state.accounts.map(({ address, name, kind }) => ({ address, name, kind })),
  hidden: state.hiddenAccounts.map(({ address, name }) => ({ address, name })),
  contacts: state.contacts,
  networks: state.networks,
  networkList: state.networkList,
  assets: state.assets,
  sites: state.sites.map(({ origin, accounts, chainId, asMetaMask, since }) => ({
    origin,
    accounts,
    chainId,
    asMetaMask,
    since,
  })),
  activity: state.activity.map(({ hash, status, nonce, value, to }) => ({ hash, status, nonce, value, to })),
  autoLockMinutes: state.autoLockMinutes,
  safety: state.safety,
  looksByItself: state.looksByItself,
  relays: state.remote.relays.map(({ url }) => url),
})

const saved = async (ui: Ui, walletPassword?: string): Promise<OpenedBackup> => {
  const { file } = await ui.saveBackup({
    password: FILE_PASSWORD,
    ...(walletPassword !== undefined && { walletPassword }),
  })
  return ui.openBackup({ file, password: FILE_PASSWORD })
}

const chosen = (entries: readonly BackupItem[], reviews: readonly EntryReview[], verdicts: string[]): ImportEntry[] =>
  entries.filter((_, at) => verdicts.includes(reviews[at]?.verdict ?? ''))

/** Imports everything that is new, and with `conflict` also what differs. */
const restore = async (ui: Ui, entries: readonly BackupItem[], ...more: string[]) => {
  const reviews = await ui.reviewImport({ entries })
  const { items } = await ui.importEntries({ entries: chosen(entries, reviews, ['new', ...more]) })
  return { reviews, items }
}

test('a backup with keys restores the whole wallet in a new one', async () => {
  const { wallet } = await fullWallet()
  const before = await wallet.ui.getState(null)
  const { entries, unreadable } = await saved(wallet.ui, PASSWORD)
  expect(unreadable).toBe(0)

  const node = startNode()
  const other = startWallet({ chain: node.chain, store: { local: memoryStore(), session: memoryStore() } })
  await other.wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  const { reviews } = await restore(other.wallet.ui, entries, 'conflict')
  expect(reviews.filter(({ verdict }) => verdict === 'refused')).toEqual([])
  const after = await other.wallet.ui.getState(null)
  expect(keptOf(after)).toEqual(keptOf(before))
  expect(await other.wallet.ui.getGateways(null)).toEqual({ ipfs: 'https://ipfs.example/', arweave: null })
  const namesOf = async (ui: Ui) =>
    (await ui.getInterfaces(null)).map(({ name, place, functions }) => [name, place, functions])
  expect(await namesOf(other.wallet.ui)).toEqual(await namesOf(wallet.ui))
  const formatsOf = async (ui: Ui) =>
    (await ui.getDescriptors(null)).map(({ source, owner, formats }) => [source, owner, formats])
  expect(await formatsOf(other.wallet.ui)).toEqual(await formatsOf(wallet.ui))
  expect(await other.wallet.ui.revealPrivateKey({ address: OF_KEY, password: PASSWORD })).toBe(KEY)
  expect(other.events).toContainEqual({ origin: SITE, event: 'accountsChanged', data: [ADDRESS.toLowerCase()] })
  // Nothing was asked of a node, and what is saved again is the same.
  expect(node.sent).toEqual([])
  const { entries: again } = await saved(other.wallet.ui, PASSWORD)
  const sorted = (items: readonly BackupItem[]) =>
    items.map(one => JSON.stringify(one, Object.keys(one).sort())).toSorted()
  expect(sorted(again)).toEqual(sorted(entries))
})

test('a backup contains keys only if the password of the wallet is given, and never the keys of its storage', async () => {
  const { wallet } = await fullWallet()
  const { entries } = await saved(wallet.ui)
  expect(entries.filter(({ section }) => section === 'phrases' || section === 'privateKeys')).toEqual([])
  expect(JSON.stringify(entries)).not.toMatch(/test test|junk|"seed"|symKey|stateKey/)
  expect(JSON.stringify(entries)).not.toContain(KEY.slice(2))
  await expect(wallet.ui.saveBackup({ password: FILE_PASSWORD, walletPassword: 'wrong' })).rejects.toMatchObject({
    reason: 'wrongPassword',
  })
  const { entries: withKeys } = await saved(wallet.ui, PASSWORD)
  expect(withKeys.find(({ section }) => section === 'phrases')?.value).toMatchObject({ phrase: PHRASE, first: ADDRESS })
  expect(withKeys.find(({ section }) => section === 'privateKeys')?.value).toEqual({ address: OF_KEY, privateKey: KEY })
})

test('without keys, accounts are derived from a phrase that the wallet has, and are otherwise watch-only', async () => {
  const { entries } = await saved((await fullWallet()).wallet.ui)
  const kindsIn = async (ui: Ui) =>
    (await ui.getState(null)).accounts.map(({ address, name, kind }) => [address, name, kind].join(' '))

  const same = (await createdWallet()).wallet.ui
  await restore(same, entries)
  expect(await kindsIn(same)).toEqual([
    `${ADDRESS} Account 1 phrase`,
    `${SECOND} Savings phrase`,
    `${OF_KEY} Till watchOnly`,
    `${SHOP} Watched watchOnly`,
  ])
  const other = startWallet()
  await other.wallet.ui.createVault({ password: PASSWORD, privateKey: `0x${'11'.repeat(32)}` })
  await restore(other.wallet.ui, entries)
  expect((await kindsIn(other.wallet.ui)).slice(1)).toEqual([
    `${ADDRESS} Account 1 watchOnly`,
    `${SECOND} Savings watchOnly`,
    `${OF_KEY} Till watchOnly`,
    `${SHOP} Watched watchOnly`,
  ])
  // Its keys arrive later, and the accounts keep the names that they have here.
  await other.wallet.ui.renameAccount({ address: SECOND, name: 'Mine' })
  const { entries: withKeys } = await saved((await fullWallet()).wallet.ui, PASSWORD)
  await restore(other.wallet.ui, withKeys)
  expect((await kindsIn(other.wallet.ui)).slice(1)).toEqual([
    `${ADDRESS} Account 1 phrase`,
    `${SECOND} Mine phrase`,
    `${OF_KEY} Till privateKey`,
    `${SHOP} Watched watchOnly`,
  ])
  expect((await other.wallet.ui.getState(null)).hiddenAccounts).toMatchObject([{ name: 'Old', kind: 'phrase' }])
})

test('of two that differ, the wallet keeps its own until the user selects the other', async () => {
  const { ui } = (await createdWallet()).wallet
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  await ui.setRpcUrls({ chainId: 31337, rpcUrls: ['http://127.0.0.1:8545/'] }).catch(() => undefined)
  const entries = [
    item('contacts', { address: MIRA, name: 'Miriam', ens: null }),
    item('accounts', { address: ADDRESS, name: 'Main', hidden: false, from: null }),
    item('nodes', { chainId: 31337, rpcUrls: ['https://other.example/'], uses: {} }),
  ]
  const reviews = await ui.reviewImport({ entries })
  expect(reviews.map(({ verdict, held }) => [verdict, held?.value])).toEqual([
    ['conflict', { address: MIRA, name: 'Mira', ens: null }],
    ['conflict', expect.objectContaining({ address: ADDRESS, name: 'Account 1' })],
    ['conflict', { chainId: 31337, rpcUrls: ['http://127.0.0.1:8545'], uses: {} }],
  ])
  expect((await ui.getState(null)).contacts).toMatchObject([{ name: 'Mira' }])
  expect(await ui.importEntries({ entries })).toMatchObject({ items: 3 })
  const { contacts, accounts, networks } = await ui.getState(null)
  expect([contacts[0]?.name, accounts[0]?.name, networks[0]?.rpcUrls]).toEqual([
    'Miriam',
    'Main',
    ['https://other.example/'],
  ])
})

test('a contact whose name is taken gets a number, and is not lost', async () => {
  const { ui } = (await createdWallet()).wallet
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  const entries = [
    item('contacts', { address: SHOP, name: 'mira', ens: null }),
    item('contacts', { address: addressOf(1), name: 'Account 1', ens: null }),
    item('contacts', { address: addressOf(2), name: 'x'.repeat(32), ens: null }),
    item('contacts', { address: addressOf(3), name: 'x'.repeat(32), ens: null }),
  ]
  await restore(ui, entries)
  expect((await ui.getState(null)).contacts.map(({ name }) => name).toSorted()).toEqual(
    ['Mira', 'mira 2', 'Account 1 2', 'x'.repeat(32), `${'x'.repeat(30)} 2`].toSorted(),
  )
})

test('a setting that makes the wallet less strict is a conflict, and takes the password if the user requires it', async () => {
  const { ui } = (await createdWallet()).wallet
  const lax = [
    item('settings', { name: 'autoLock', value: 60 }),
    item('settings', { name: 'allowsForeignSignIn', value: true }),
    item('siteSettings', {
      origin: SITE,
      asMetaMask: false,
      asEthereum: false,
      readsLocalNode: true,
      isBlocked: false,
    }),
  ]
  const strict = [
    item('settings', { name: 'autoLock', value: 1 }),
    item('settings', { name: 'asksPassword', value: true }),
  ]
  const reviews = await ui.reviewImport({ entries: lax })
  expect(reviews.map(({ verdict, reason }) => [verdict, reason?.reason])).toEqual(
    lax.map(() => ['conflict', 'backupLaxer']),
  )
  expect((await ui.reviewImport({ entries: strict })).map(({ verdict }) => verdict)).toEqual(['new', 'new'])
  await restore(ui, [...lax, ...strict])
  expect(await ui.getState(null)).toMatchObject({
    autoLockMinutes: 1,
    safety: { asksPassword: true, allowsForeignSignIn: false },
  })
  await expect(ui.importEntries({ entries: lax })).rejects.toMatchObject({ reason: 'wrongPassword' })
  expect((await ui.getState(null)).safety.allowsForeignSignIn).toBe(false)
  await ui.importEntries({ entries: lax, password: PASSWORD })
  expect(await ui.getState(null)).toMatchObject({ autoLockMinutes: 60, safety: { allowsForeignSignIn: true } })
})

test('an item that imitates a contact or a token is marked', async () => {
  const { ui } = (await createdWallet()).wallet
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  const like = `${MIRA.slice(0, 6)}${'0'.repeat(32)}${MIRA.slice(-4)}`.toLowerCase()
  const [byName, byAddress, token] = await ui.reviewImport({
    entries: [
      item('contacts', { address: SHOP, name: 'Mir\u0430', ens: null }),
      item('accounts', { address: like, name: 'Other', hidden: false, from: null }),
      item('tokens', { chainId: 1, address: SHOP, symbol: 'USD\u0421', decimals: 6, isFound: false }),
    ],
  })
  const names = [byName, byAddress, token].map(review => review?.findings.map(({ level, name }) => `${level} ${name}`))
  expect(names).toEqual([['danger imitatedName'], ['danger lookalikeAddress'], ['danger imitatedAsset']])
})

test('one odd item does not refuse the file, and null counts as absent', async () => {
  const { ui } = (await createdWallet()).wallet
  const { sealBackup } = await import('../backup/backup-file.ts')
  const { CHEAP_KDF } = await import('../wallet.fixture.ts')
  const contact = { id: MIRA.toLowerCase(), value: { address: MIRA, name: 'Mira', ens: null } }
  const sections = [
    {
      name: 'contacts',
      items: [
        null,
        contact,
        { ...contact, value: { address: SHOP.toLowerCase(), name: 'Shop' }, id: SHOP.toLowerCase() },
        { ...contact, id: 'another' },
        { id: SHOP.toLowerCase(), value: { address: SHOP, name: 'a\u202eb' } },
        { id: 'x', value: { address: '0x12', name: 'Odd' } },
        'text',
      ],
    },
    { name: 'sites', items: [{ id: SITE, value: { origin: SITE, accounts: [ADDRESS, null], since: null } }] },
    {
      name: 'later',
      items: [
        { id: '1', value: {} },
        { id: '2', value: {} },
      ],
    },
    { name: 'phrases', items: [{ id: 'm', value: { phrase: 'no phrase', path: 'm', first: ADDRESS } }] },
  ]
  const file = await sealBackup({ wallet: '9', savedAt: 0, sections }, FILE_PASSWORD, CHEAP_KDF)
  const { entries, unreadable } = await ui.openBackup({ file, password: FILE_PASSWORD })
  expect(entries.map(({ section }) => section)).toEqual(['contacts', 'contacts', 'sites'])
  expect(unreadable).toBe(7)
  await restore(ui, entries)
  const { contacts, sites } = await ui.getState(null)
  expect(contacts.map(({ name }) => name)).toEqual(['Mira', 'Shop'])
  expect(sites).toMatchObject([{ origin: SITE, accounts: [ADDRESS] }])
})

test('a file that cannot be opened changes nothing', async () => {
  const { wallet } = await fullWallet()
  const { ui } = wallet
  const before = await ui.getState(null)
  const { file } = await ui.saveBackup({ password: FILE_PASSWORD })
  const reasonOf = (text: string, password = FILE_PASSWORD) =>
    ui.openBackup({ file: text, password }).then(
      () => 'opened',
      error => error.reason,
    )
  expect(await reasonOf(file, 'wrong')).toBe('backupPassword')
  expect(await reasonOf(file.slice(0, -9))).toBe('backupTruncated')
  expect(await reasonOf('{"addressBook":{}}')).toBe('backupForeign')
  await expect(ui.describeBackup({ file: '{}' })).rejects.toMatchObject({ reason: 'backupForeign' })
  expect(await ui.describeBackup({ file })).toBe(null)
  await expect(ui.saveBackup({ password: 'short' })).rejects.toMatchObject({ reason: 'shortPassword' })
  expect(await ui.getState(null)).toEqual(before)
})

test('a locked wallet saves and imports nothing, and a file opens before there is a wallet', async () => {
  const { wallet } = await createdWallet()
  const { file } = await wallet.ui.saveBackup({ password: FILE_PASSWORD })
  const { entries } = await wallet.ui.openBackup({ file, password: FILE_PASSWORD })
  await wallet.ui.lock(null)
  await expect(wallet.ui.saveBackup({ password: FILE_PASSWORD })).rejects.toMatchObject({ code: 4100 })
  await expect(wallet.ui.reviewImport({ entries })).rejects.toMatchObject({ code: 4100 })
  await expect(wallet.ui.importEntries({ entries })).rejects.toMatchObject({ code: 4100 })
  const empty = startWallet()
  expect((await empty.wallet.ui.openBackup({ file, password: FILE_PASSWORD })).entries).toEqual(entries)
  expect((await empty.wallet.ui.getState(null)).phase).toBe('empty')
})

test('1,000 contacts are saved and restored, and more are refused one by one', async () => {
  const many = Array.from({ length: MAX_CONTACTS }, (_, at) =>
    item('contacts', { address: addressOf(at), name: `Contact ${at}`, ens: null }),
  )
  const { ui } = (await createdWallet()).wallet
  expect(await ui.importEntries({ entries: many })).toMatchObject({ items: MAX_CONTACTS })
  const { entries } = await saved(ui)
  const other = (await createdWallet()).wallet.ui
  const { items } = await restore(other, entries)
  expect(items).toBe(MAX_CONTACTS)
  expect((await other.getState(null)).contacts).toEqual((await ui.getState(null)).contacts)
  const [review] = await other.reviewImport({
    entries: [item('contacts', { address: MIRA, name: 'Mira', ens: null })],
  })
  expect(review).toMatchObject({ verdict: 'refused', reason: { reason: 'tooManyContacts' } })
})

/** A store that fails after a number of writes, as if the worker had been stopped there. */
const failingAfter = (store: Store, writes: number): Store => {
  let left = writes
  return {
    ...store,
    set: async (name, value) => {
      if (left-- <= 0) throw new Error('stopped')
      await store.set(name, value)
    },
  }
}

test('an import that is stopped at any write loses nothing, and can be repeated', async () => {
  const { entries } = await saved((await fullWallet()).wallet.ui, PASSWORD)
  const wanted = new Set(entries.map(one => JSON.stringify(one)))
  for (let writes = 0; ; writes += 8) {
    const stores: Stores = { local: memoryStore(), session: memoryStore() }
    const start = startWallet({ store: stores }).wallet.ui
    await start.createVault({ password: PASSWORD, phrase: PHRASE })
    await start.saveContact({ address: SHOP, name: 'Kept' })
    const stopped = startWallet({ store: { ...stores, local: failingAfter(stores.local, writes) } }).wallet.ui
    const isDone = await restore(stopped, entries, 'conflict').then(
      () => true,
      () => false,
    )
    const { ui } = startWallet({ store: stores }).wallet
    expect((await ui.getState(null)).reset).toEqual([])
    expect((await ui.getState(null)).contacts).toContainEqual({ address: SHOP, name: 'Kept' })
    await restore(ui, entries, 'conflict')
    const again = new Set((await saved(ui, PASSWORD)).entries.map(one => JSON.stringify(one)))
    for (const one of wanted) expect(again.has(one), one).toBe(true)
    if (isDone) return
  }
})
