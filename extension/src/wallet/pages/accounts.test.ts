import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { addressesAt } from '../keys/derivation.ts'
import { makeKeystore } from '../keys/keystore.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  CHEAP_KEYSTORE,
  chainOf,
  connectedWallet,
  createdWallet,
  DERIVATION,
  type Headless,
  PASSWORD,
  PHRASE,
  SECOND,
  SITE,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const KEY = '0x0000000000000000000000000000000000000000000000000000000000000001'
const OF_KEY = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
const WATCHED = '0x0000000000000000000000000000000000000001'
const OTHER_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const firstPhrase = async ({ wallet }: Headless) => String((await wallet.ui.getState(null)).phrases[0]?.id)
const addressesIn = async ({ wallet }: Headless) =>
  (await wallet.ui.getState(null)).accounts.map(({ address }) => address)

test("a new account is the phrase's next one, with a name, and is selected", async () => {
  const headless = await createdWallet()
  const { wallet, state } = headless
  const phraseId = await firstPhrase(headless)
  expect(await wallet.ui.addAccount({ name: '  Savings ' })).toEqual({
    address: SECOND,
    name: 'Savings',
    kind: 'phrase',
    phraseId,
  })
  expect(state()).toMatchObject({ selected: SECOND, accounts: [{ address: ADDRESS }, { address: SECOND }] })
  await wallet.ui.selectAccount({ address: ADDRESS_LOWER })
  expect(state()?.selected).toBe(ADDRESS)
})

test('an account name must have 1 to 32 characters', async () => {
  const { wallet } = await createdWallet()
  for (const name of ['', '   ', 'x'.repeat(33)])
    for (const attempt of [
      wallet.ui.addAccount({ name }),
      wallet.ui.importPhrase({ phrase: OTHER_PHRASE, name }),
      wallet.ui.importPrivateKey({ privateKey: KEY, name }),
      wallet.ui.addWatchOnly({ address: WATCHED, name }),
      wallet.ui.renameAccount({ address: ADDRESS, name }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('account name') })
})

test('a locked wallet rejects adding, changing, removing and searching accounts', async () => {
  const headless = await createdWallet()
  const { wallet } = headless
  const phraseId = await firstPhrase(headless)
  await wallet.ui.lock(null)
  const keystore = await makeKeystore(new Uint8Array(32).fill(7), 'x', CHEAP_KEYSTORE, () => {})
  for (const attempt of [
    wallet.ui.addAccount({ name: 'x' }),
    wallet.ui.discoverAccounts({ phraseId }),
    wallet.ui.getPhraseAccounts({ phraseId, from: 0, count: 1 }),
    wallet.ui.addAccounts({ phraseId, indexes: [1] }),
    wallet.ui.importPhrase({ phrase: OTHER_PHRASE, name: 'x' }),
    wallet.ui.importPrivateKey({ privateKey: KEY, name: 'x' }),
    wallet.ui.importKeystore({ keystore, password: 'x', name: 'x' }),
    wallet.ui.addWatchOnly({ address: WATCHED, name: 'x' }),
    wallet.ui.renameAccount({ address: ADDRESS, name: 'x' }),
    wallet.ui.hideAccount({ address: ADDRESS }),
    wallet.ui.showAccount({ address: ADDRESS }),
    wallet.ui.removeAccount({ address: ADDRESS, password: PASSWORD }),
    wallet.ui.removePhrase({ phraseId, password: PASSWORD }),
  ])
    await expect(attempt).rejects.toMatchObject({ code: 4100 })
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await addressesIn(headless)).toEqual([ADDRESS])
})

test('a second phrase has its own accounts', async () => {
  const headless = await createdWallet()
  const { wallet } = headless
  const input = { phrase: ` ${OTHER_PHRASE.toUpperCase()}`, passphrase: 'TREZOR' }
  const added = await wallet.ui.importPhrase({ ...input, name: 'Other' })
  await wallet.ui.addAccount({ name: 'Other 2', phraseId: String(added.phraseId) })
  expect(await addressesIn(headless)).toEqual([
    ADDRESS,
    ...(await addressesAt({ ...DERIVATION, phrase: OTHER_PHRASE, passphrase: 'TREZOR' }, 0, 2)),
  ])
  expect((await wallet.ui.getState(null)).phrases).toMatchObject([
    { words: 12, hasPassphrase: false },
    { words: 12, hasPassphrase: true, path: "m/44'/60'/0'/0" },
  ])
  for (const refused of [input, { phrase: PHRASE }, { phrase: 'no phrase' }, { phrase: PHRASE, path: 'm/1' }])
    await expect(wallet.ui.importPhrase({ ...refused, name: 'x' })).rejects.toMatchObject({ code: -32602 })
})

test('a private key is imported with or without 0x, and an invalid one is rejected without repeating it', async () => {
  const { wallet, state } = await createdWallet()
  const account = { address: OF_KEY, name: 'Key', kind: 'privateKey', phraseId: null }
  expect(await wallet.ui.importPrivateKey({ privateKey: ` ${KEY.slice(2).toUpperCase()}\n`, name: 'Key' })).toEqual(
    account,
  )
  expect(state()?.selected).toBe(OF_KEY)
  for (const privateKey of ['', '0x', KEY, `${KEY}0`, KEY.slice(0, -1), `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`]) {
    const attempt = wallet.ui.importPrivateKey({ privateKey, name: 'x' })
    await expect(attempt).rejects.toThrow(expect.objectContaining({ message: expect.not.stringMatching(/0000|ffff/) }))
  }
})

test('a keystore is imported with its password, and the state shows the progress', async () => {
  const { wallet, state } = await createdWallet()
  const key = new Uint8Array(32).with(31, 1)
  const keystore = await makeKeystore(key, 'its own', { n: 1 << 15, r: 8, p: 1 }, () => {})
  const importing = wallet.ui.importKeystore({ keystore, password: 'its own', name: 'Imported' })
  await expect.poll(() => state()?.task?.progress ?? 0, { interval: 1 }).toBeGreaterThan(0)
  expect(state()?.task?.name).toBe('importKeystore')
  expect(await importing).toMatchObject({ address: OF_KEY, kind: 'privateKey' })
  expect(state()).toMatchObject({ task: null, selected: OF_KEY })
  await expect(wallet.ui.importKeystore({ keystore, password: 'another', name: 'x' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('password'),
  })
  await expect(wallet.ui.importKeystore({ keystore: '{}', password: '', name: 'x' })).rejects.toMatchObject({
    code: -32602,
  })
})

test('an import is cancelled by the user, and by locking', async () => {
  const headless = await createdWallet()
  const { wallet, state } = headless
  const keystore = await makeKeystore(new Uint8Array(32).fill(7), 'x', { n: 1 << 15, r: 8, p: 1 }, () => {})
  for (const callOff of [() => wallet.ui.cancelTask(null), () => wallet.ui.lock(null)]) {
    const importing = wallet.ui.importKeystore({ keystore, password: 'x', name: 'x' })
    const called = expect(importing).rejects.toMatchObject({ code: 4001 })
    await expect.poll(() => state()?.task?.name, { interval: 1 }).toBe('importKeystore')
    await callOff()
    await called
  }
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await addressesIn(headless)).toEqual([ADDRESS])
  expect(state()?.task).toBeNull()
})

test('accounts used on the selected network are found and added, and existing ones stay unchanged', async () => {
  const addresses = await addressesAt(DERIVATION, 0, 8)
  const used = [0, 1, 3, 7].map(index => addresses[index])
  const headless = await createdWallet({
    chain: chainOf({
      eth_getTransactionCount: ([address]) => encodeQuantity(address === addresses[3] ? 1 : 0),
      eth_getBalance: ([address]) => encodeQuantity(used.includes(address as typeof ADDRESS) ? 1 : 0),
    }),
  })
  const { wallet, state } = headless
  await wallet.ui.addAccount({ name: 'Savings' })
  await wallet.ui.hideAccount({ address: SECOND })
  const phraseId = await firstPhrase(headless)
  const found = await wallet.ui.discoverAccounts({ phraseId })
  expect(found.map(({ address }) => address)).toEqual([addresses[3], addresses[7]])
  expect(state()).toMatchObject({
    task: null,
    accounts: [{ address: ADDRESS }, { address: addresses[3] }, { address: addresses[7] }],
    hiddenAccounts: [{ address: SECOND, name: 'Savings' }],
  })
  expect(await wallet.ui.discoverAccounts({ phraseId })).toEqual([])
  await expect(wallet.ui.discoverAccounts({ phraseId: 'another' })).rejects.toMatchObject({ code: -32602 })
})

test("a phrase's accounts are listed without a node, and several are added at once", async () => {
  const headless = await createdWallet()
  const { ui } = headless.wallet
  const phraseId = await firstPhrase(headless)
  const addresses = await addressesAt(DERIVATION, 0, 9)
  await ui.addWatchOnly({ address: String(addresses[8]), name: 'Cold box' })
  const listed = await ui.getPhraseAccounts({ phraseId, from: 0, count: 9 })
  expect(listed).toEqual(
    addresses.map((address, index) => ({ index, address, path: `m/44'/60'/0'/0/${index}`, isAdded: index === 0 })),
  )
  const added = await ui.addAccounts({ phraseId, indexes: [0, 4, 8] })
  expect(added.map(({ address, name, kind }) => [address, name, kind])).toEqual([
    [addresses[8], 'Cold box', 'phrase'],
    [addresses[4], 'Account 3', 'phrase'],
  ])
  expect(await ui.addAccounts({ phraseId, indexes: [0, 4, 8] })).toEqual([])
  expect((await ui.getPhraseAccounts({ phraseId, from: 4, count: 1 }))[0]?.isAdded).toBe(true)
  await expect(ui.getPhraseAccounts({ phraseId, from: 0, count: 101 })).rejects.toMatchObject({ code: -32005 })
  await expect(ui.addAccounts({ phraseId: 'another', indexes: [1] })).rejects.toMatchObject({ code: -32602 })
})

test('a node tells which accounts are used', async () => {
  const addresses = await addressesAt(DERIVATION, 0, 7)
  const chain = chainOf({
    eth_getTransactionCount: ([address]) => encodeQuantity(address === addresses[6] ? 1 : 0),
    eth_getBalance: ([address]) => encodeQuantity(address === addresses[2] ? 1 : 0),
  })
  const { wallet } = await createdWallet({ chain })
  expect(await wallet.ui.readUsed({ addresses })).toEqual(addresses.map((_, at) => at === 2 || at === 6))
})

test('a failed search adds nothing', async () => {
  const headless = await createdWallet({ chain: chainOf({ eth_getBalance: () => '0x1' }) })
  const phraseId = await firstPhrase(headless)
  await expect(headless.wallet.ui.discoverAccounts({ phraseId })).rejects.toMatchObject({ code: -32601 })
  expect(await addressesIn(headless)).toEqual([ADDRESS])
})

test('a watch-only account becomes a full account when its key is imported', async () => {
  const { wallet, state } = await createdWallet()
  expect(await wallet.ui.addWatchOnly({ address: OF_KEY.toLowerCase(), name: 'Watched' })).toEqual({
    address: OF_KEY,
    name: 'Watched',
    kind: 'watchOnly',
    phraseId: null,
  })
  for (const address of [ADDRESS, OF_KEY, 'no address', OF_KEY.replace('7E', '7e')])
    await expect(wallet.ui.addWatchOnly({ address, name: 'x' })).rejects.toThrow(/^address: |already/)
  await wallet.ui.importPrivateKey({ privateKey: KEY, name: 'Key' })
  expect(state()?.accounts).toMatchObject([{}, { address: OF_KEY, name: 'Watched', kind: 'privateKey' }])
})

test('an account can be renamed, hidden and shown again', async () => {
  const { wallet, state } = await createdWallet()
  await wallet.ui.addAccount({ name: 'Savings' })
  await wallet.ui.renameAccount({ address: SECOND.toLowerCase(), name: ' Rent ' })
  await wallet.ui.hideAccount({ address: SECOND })
  expect(state()).toMatchObject({
    selected: ADDRESS,
    accounts: [{ address: ADDRESS }],
    hiddenAccounts: [{ address: SECOND, name: 'Rent' }],
  })
  await expect(wallet.ui.hideAccount({ address: ADDRESS })).rejects.toMatchObject({ code: -32602 })
  await wallet.ui.showAccount({ address: SECOND })
  expect(state()).toMatchObject({ accounts: [{ address: ADDRESS }, { address: SECOND }], hiddenAccounts: [] })
})

/** Creates a wallet with two accounts that are both connected to SITE. */
const withTwoConnected = async () => {
  const first = await createdWallet()
  await first.wallet.ui.addAccount({ name: 'Savings' })
  await first.wallet.request(SITE, { id: 'connect', method: 'eth_requestAccounts' })
  first.events.length = 0
  return first
}

test('a hidden or removed account is removed from its sites, which are notified', async () => {
  for (const withdraw of ['hideAccount', 'removeAccount'] as const) {
    const { wallet, events, ask } = await withTwoConnected()
    await wallet.ui[withdraw]({ address: SECOND, password: PASSWORD })
    expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: [ADDRESS_LOWER] }])
    expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
    await expect(ask('personal_sign', 'hello', SECOND)).rejects.toMatchObject({ code: 4100 })
  }
})

test('open requests of a hidden or removed account are rejected', async () => {
  for (const withdraw of ['hideAccount', 'removeAccount'] as const) {
    const { store } = await withTwoConnected()
    const { wallet, ask } = startWallet({ store, person: undecided })
    const refused = expect(ask('personal_sign', 'hello', SECOND)).rejects.toMatchObject({ code: 4100 })
    const stays = ask('personal_sign', 'hello', ADDRESS)
    stays.catch(() => undefined)
    await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(2)
    await wallet.ui[withdraw]({ address: SECOND, password: PASSWORD })
    await refused
    expect((await wallet.ui.getState(null)).requests).toMatchObject([{ account: { address: ADDRESS } }])
  }
})

test('a failed removal disconnects nothing: wrong password, last account, unknown account', async () => {
  const headless = await connectedWallet()
  const { wallet, events, ask } = headless
  events.length = 0
  const phraseId = await firstPhrase(headless)
  for (const attempt of [
    wallet.ui.removeAccount({ address: ADDRESS, password: 'wrong' }),
    wallet.ui.removeAccount({ address: ADDRESS, password: PASSWORD }),
    wallet.ui.removeAccount({ address: SECOND, password: PASSWORD }),
    wallet.ui.removePhrase({ phraseId, password: 'wrong' }),
    wallet.ui.removePhrase({ phraseId, password: PASSWORD }),
    wallet.ui.removePhrase({ phraseId: 'another', password: PASSWORD }),
  ])
    await expect(attempt).rejects.toThrow()
  expect(events).toEqual([])
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})

test('a phrase is removed with its accounts, and without a phrase no account can be derived', async () => {
  const headless = await withTwoConnected()
  const { wallet, events, state } = headless
  await wallet.ui.importPrivateKey({ privateKey: KEY, name: 'Key' })
  await wallet.ui.removePhrase({ phraseId: await firstPhrase(headless), password: PASSWORD })
  expect(state()).toMatchObject({ phrases: [], accounts: [{ address: OF_KEY }], selected: OF_KEY })
  expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: [] }])
  await expect(wallet.ui.addAccount({ name: 'x' })).rejects.toMatchObject({ code: -32602 })
})

test('an account is moved among the visible ones; hidden accounts, the selection and sites keep theirs', async () => {
  const headless = await createdWallet()
  const { wallet, ask, state } = headless
  const third = (await wallet.ui.addWatchOnly({ address: WATCHED, name: 'Watched' })).address
  await wallet.ui.addAccount({ name: 'Second' })
  await ask('eth_requestAccounts')
  await wallet.ui.importPrivateKey({ privateKey: KEY, name: 'Key' })
  await wallet.ui.selectAccount({ address: ADDRESS })
  await wallet.ui.hideAccount({ address: third })
  const before = state()?.sites
  expect(await addressesIn(headless)).toEqual([ADDRESS, SECOND, OF_KEY])

  await wallet.ui.moveAccount({ address: OF_KEY.toLowerCase(), to: 0 })
  expect(await addressesIn(headless)).toEqual([OF_KEY, ADDRESS, SECOND])
  await wallet.ui.moveAccount({ address: OF_KEY, to: 1 })
  expect(await addressesIn(headless)).toEqual([ADDRESS, OF_KEY, SECOND])
  await wallet.ui.moveAccount({ address: ADDRESS, to: 2 })
  expect(await addressesIn(headless)).toEqual([OF_KEY, SECOND, ADDRESS])
  expect(before).toMatchObject([{ accounts: [ADDRESS, SECOND] }])
  expect(state()).toMatchObject({ selected: ADDRESS, sites: before })

  await wallet.ui.showAccount({ address: third })
  expect(await addressesIn(headless)).toEqual([OF_KEY, third, SECOND, ADDRESS])
  await wallet.ui.lock(null)
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await addressesIn(headless)).toEqual([OF_KEY, third, SECOND, ADDRESS])
})

test('the first account stays selected when it is moved before any was chosen', async () => {
  const headless = await createdWallet()
  const { wallet, state } = headless
  const phraseId = await firstPhrase(headless)
  await wallet.ui.addAccounts({ phraseId, indexes: [1] })
  expect(state()?.selected).toBe(ADDRESS)
  await wallet.ui.moveAccount({ address: ADDRESS, to: 1 })
  expect(await addressesIn(headless)).toEqual([SECOND, ADDRESS])
  expect(state()?.selected).toBe(ADDRESS)
})

test('a place that is not among the visible accounts, a hidden account and an unknown one are refused', async () => {
  const headless = await createdWallet()
  const { wallet } = headless
  await wallet.ui.addAccount({ name: 'Second' })
  for (const to of [-1, 2, 0.5, Number.NaN])
    await expect(wallet.ui.moveAccount({ address: ADDRESS, to })).rejects.toMatchObject({ code: -32602 })
  await expect(wallet.ui.moveAccount({ address: WATCHED, to: 0 })).rejects.toMatchObject({ code: 4100 })
  await wallet.ui.hideAccount({ address: SECOND })
  await expect(wallet.ui.moveAccount({ address: SECOND, to: 0 })).rejects.toMatchObject({ code: -32602 })
  expect(await addressesIn(headless)).toEqual([ADDRESS])
  await wallet.ui.lock(null)
  await expect(wallet.ui.moveAccount({ address: ADDRESS, to: 0 })).rejects.toMatchObject({ code: 4100 })
})
