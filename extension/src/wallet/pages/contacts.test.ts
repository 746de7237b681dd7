import { expect, test } from 'vitest'
import { addressOf, item } from '../backup/items.fixture.ts'
import { MAX_CONTACTS } from '../review/contacts.ts'
import { ADDRESS, createdWallet, PASSWORD, PHRASE, startWallet } from '../wallet.fixture.ts'

const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const LIKE_MIRA = '0x1f3700000000000000000000000000000000b1b6'
const SHOP = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const CHAIN = { chainId: 31337 }

const start = async () => {
  const headless = await createdWallet()
  const { ui } = headless.wallet
  return { ...headless, ui, contacts: async () => (await ui.getState(null)).contacts }
}

test('contacts are added, renamed and removed', async () => {
  const { ui, contacts, store } = await start()
  await ui.saveContact({ address: ` ${SHOP.toLowerCase()}\n`, name: ' The shop ' })
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  expect(await contacts()).toEqual([
    { address: MIRA, name: 'Mira' },
    { address: SHOP, name: 'The shop' },
  ])
  await ui.saveContact({ address: SHOP, name: 'Corner shop' })
  expect((await contacts()).map(({ name }) => name)).toEqual(['Corner shop', 'Mira'])
  await ui.removeContact({ address: SHOP.toLowerCase() })
  expect(await contacts()).toEqual([{ address: MIRA, name: 'Mira' }])
  const again = startWallet({ store })
  expect((await again.wallet.ui.getState(null)).contacts).toEqual([{ address: MIRA, name: 'Mira' }])
})

test('invalid addresses and names, and duplicates, are rejected', async () => {
  const { ui, contacts } = await start()
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  const refuses = (address: string, name: string) => expect(ui.saveContact({ address, name })).rejects.toThrow(/./)
  await refuses('0x12', 'Short')
  await refuses(MIRA.replace('d85F', 'D85F'), 'Wrong checksum')
  await refuses(SHOP, '  ')
  await refuses(SHOP, 'x'.repeat(33))
  await refuses(SHOP, 'The\u202eshop')
  await refuses(SHOP, 'The\nshop')
  await refuses(SHOP, 'The\u200bshop')
  await refuses(SHOP, 'MIRA')
  await refuses(SHOP, 'account 1')
  await refuses(ADDRESS, 'Myself')
  expect(await contacts()).toEqual([{ address: MIRA, name: 'Mira' }])
})

test('the number of contacts is limited', async () => {
  const { ui, contacts } = await start()
  const entries = Array.from({ length: MAX_CONTACTS }, (_, at) =>
    item('contacts', { address: addressOf(at), name: `Contact ${at}`, ens: null }),
  )
  await ui.importEntries({ entries })
  await expect(ui.saveContact({ address: MIRA, name: 'Mira' })).rejects.toMatchObject({ code: -32005 })
  await ui.saveContact({ address: addressOf(0), name: 'Mira' })
  expect(await contacts()).toHaveLength(MAX_CONTACTS)
})

test('a locked wallet does not list or store contacts, and they are not readable on disk', async () => {
  const { ui, contacts, store } = await start()
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  expect(JSON.stringify(await store.local.get('contacts'))).not.toMatch(
    new RegExp(`\\bMira\\b|${MIRA.slice(2, 10)}`, 'i'),
  )
  await ui.lock(null)
  expect(await contacts()).toEqual([])
  await expect(ui.saveContact({ address: SHOP, name: 'Shop' })).rejects.toMatchObject({ code: 4100 })
  await expect(ui.reviewAddress({ address: MIRA, ...CHAIN })).rejects.toMatchObject({ code: 4100 })
  await ui.unlock({ password: PASSWORD })
  expect(await contacts()).toHaveLength(1)
})

test('removing the wallet removes the contacts', async () => {
  const { ui, contacts, store } = await start()
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  await ui.removeWallet({ password: PASSWORD })
  expect(await store.local.get('contacts')).toBeUndefined()
  await ui.createVault({ password: PASSWORD, phrase: PHRASE })
  expect(await contacts()).toEqual([])
})

test('a recipient is compared with accounts and contacts', async () => {
  const { ui } = await start()
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  const review = async (address: string) => {
    const { address: checked, findings } = await ui.reviewAddress({ address, ...CHAIN })
    return [checked, ...findings.map(({ level, name, values }) => [level, name, ...values].join(' '))]
  }
  expect(await review(MIRA.toLowerCase())).toEqual([MIRA, 'none knownContact Mira'])
  expect(await review(ADDRESS)).toEqual([ADDRESS, 'none ownRecipient Account 1'])
  expect(await review(SHOP)).toEqual([SHOP, 'none firstRecipient'])
  expect((await review(LIKE_MIRA)).slice(1)).toEqual([
    expect.stringMatching(/^danger lookalikeAddress 0x1f37\w+ 0x1f37\w+ Mira$/i),
    'none firstRecipient',
  ])
  await expect(review('0x12')).rejects.toThrow('is not an address')
})

test('renaming a contact keeps its ENS name, and the name is checked', async () => {
  const { ui, contacts } = await start()
  await ui.saveContact({ address: MIRA, name: 'Mira', ens: { name: 'Miranda.ETH', chainId: 1 } })
  await ui.saveContact({ address: MIRA, name: 'Miranda' })
  expect(await contacts()).toEqual([{ address: MIRA, name: 'Miranda', ens: { name: 'miranda.eth', chainId: 1 } }])
  const wrong = { address: SHOP, name: 'Shop', ens: { name: 'sh\u043ep.eth', chainId: 1 } }
  await expect(ui.saveContact(wrong)).rejects.toMatchObject({ reason: 'notEnsName' })
  const elsewhere = { address: SHOP, name: 'Shop', ens: { name: 'shop.eth', chainId: 99 } }
  await expect(ui.saveContact(elsewhere)).rejects.toMatchObject({ reason: 'unknownNetwork' })
})

test('without an Ethereum node, a name causes an error that says so, and an address is reviewed as usual', async () => {
  const { ui } = await start()
  await ui.saveContact({ address: MIRA, name: 'Mira', ens: { name: 'miranda.eth', chainId: 1 } })
  const asked = { address: 'miranda.eth', ...CHAIN }
  await expect(ui.reviewAddress(asked)).rejects.toMatchObject({ reason: 'noEthereumNode' })
  const { address, name, findings } = await ui.reviewAddress({ address: MIRA, ...CHAIN })
  expect([address, name, findings.map(({ name: one }) => one)]).toEqual([MIRA, null, ['knownContact']])
  expect(await ui.nameOf({ address: MIRA })).toBeNull()
})
