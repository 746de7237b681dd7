import { toAddress } from '@heliograph/shared/evm/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportEntry } from '../../messages.ts'
import { MAX_ENTRIES } from '../imports/judge.ts'
import { ADDRESS, type Answers, chainOf, createdWallet, PASSWORD, SECOND } from '../wallet.fixture.ts'

const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const SHOP = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const KEY = `0x${'00'.repeat(31)}01`
const OF_KEY = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'

const watch = (address: string, name = 'Watched'): ImportEntry => ({ kind: 'watchOnly', address, name })
const contact = (address: string, name: string): ImportEntry => ({ kind: 'contact', address, name })
const key = (privateKey: string, name = ''): ImportEntry => ({ kind: 'key', privateKey, name })
const orbit = (change: Partial<Extract<ImportEntry, { kind: 'network' }>> = {}): ImportEntry => ({
  kind: 'network',
  chainId: 88_120,
  title: 'Orbit',
  symbol: 'OTT',
  explorerUrl: 'https://scan.orbit.example',
  rpcUrls: [],
  ...change,
})

const start = async (answers: Answers = {}) => {
  const asked: string[] = []
  const answer = chainOf(answers)
  const headless = await createdWallet({
    chain: async (network, method, params) => {
      asked.push(...network.rpcUrls)
      return answer(network, method, params)
    },
  })
  const { ui } = headless.wallet
  const review = async (...entries: ImportEntry[]) => {
    const reviews = await ui.reviewImport({ entries })
    return reviews.map(({ verdict, reason }) => (reason === null ? verdict : `${verdict}: ${reason.reason}`))
  }
  return { ...headless, ui, asked, review, all: () => ui.getState(null) }
}

test('accounts, keys, contacts and networks are added together, and repeating it changes nothing', async () => {
  const { ui, all, asked } = await start()
  const entries = [watch(SECOND.toLowerCase(), 'Savings'), key(KEY), contact(MIRA, 'Mira'), orbit()]
  expect(await ui.importEntries({ entries })).toEqual({ accounts: 2, contacts: 1, networks: 1, items: 0, nodes: [] })
  const after = await all()
  expect(after).toMatchObject({
    selected: ADDRESS,
    accounts: [
      { address: ADDRESS },
      { address: SECOND, name: 'Savings', kind: 'watchOnly' },
      { address: OF_KEY, name: 'Account 3', kind: 'privateKey' },
    ],
    contacts: [{ address: MIRA, name: 'Mira' }],
  })
  expect(after.networks.at(-1)).toMatchObject({
    chainId: 88_120,
    title: 'Orbit',
    symbol: 'OTT',
    rpcUrls: [],
    added: true,
  })
  expect(await ui.importEntries({ entries })).toEqual({ accounts: 0, contacts: 0, networks: 0, items: 0, nodes: [] })
  expect(await all()).toEqual(after)
  expect(asked).toEqual([])
})

test('a review does not store anything or contact a node', async () => {
  const { ui, all, asked } = await start()
  const before = await all()
  const entries = [watch(SECOND), key(KEY), contact(MIRA, 'Mira'), orbit({ rpcUrls: ['https://rpc.orbit.example'] })]
  expect(await ui.reviewImport({ entries })).toMatchObject([
    { verdict: 'new', address: SECOND },
    { verdict: 'new', address: OF_KEY },
    { verdict: 'new', address: MIRA },
    { verdict: 'new', nodes: [{ url: 'https://rpc.orbit.example/', reason: null }] },
  ])
  expect(await all()).toEqual(before)
  expect(asked).toEqual([])
})

test('a file is trusted no more than a site: entries that imitate a known name or address are marked', async () => {
  const { ui } = await start()
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  const like = toAddress(`${MIRA.slice(0, 6)}${'0'.repeat(32)}${MIRA.slice(-4)}`.toLowerCase())
  const found = async (entry: ImportEntry) =>
    (await ui.reviewImport({ entries: [entry] })).flatMap(({ findings }) =>
      findings.map(({ level, name, values }) => [level, name, ...values].join(' ')),
    )
  const imitatesName = 'danger imitatedName Mir\u0430 Mira'
  expect(await found(contact(SHOP, 'Mir\u0430'))).toEqual([imitatesName])
  expect(await found(watch(SHOP, 'Mir\u0430'))).toEqual([imitatesName])
  for (const name of ['Shop', ''])
    expect(await found(contact(like, name))).toEqual([`danger lookalikeAddress ${like} ${MIRA} Mira`])
  expect(await found(contact(SHOP, ''))).toEqual([])
  expect(await found(key(KEY, 'Mir\u0430'))).toEqual([imitatesName])
  expect(await found(key(KEY))).toEqual([])
  // Of two similar names in one file, the second imitates the first.
  const both = await ui.reviewImport({ entries: [contact(SHOP, 'Bakery'), contact(SECOND, 'B\u0430kery')] })
  expect(both.map(({ findings }) => findings.length)).toEqual([0, 1])
  expect(await found(contact(SHOP, 'Shop'))).toEqual([])
  expect(await found(contact(MIRA, 'Mir\u0430'))).toEqual([])
})

test('a payment to an imported contact is judged as before the import', async () => {
  const { ui } = await start()
  const mira = '0x5aeda56215b167893e80b4fe645ba6d5bab767de'
  const like = '0x5aed1111111111111111111111111111111167de'
  const likeOwn = `${ADDRESS.slice(0, 6)}${'1'.repeat(32)}${ADDRESS.slice(-4)}`.toLowerCase()
  await ui.saveContact({ address: mira, name: 'Mira' })
  const found = async (to: string) => {
    const { findings } = await ui.reviewAddress({ address: to, chainId: 31337 })
    return findings.map(({ level, name }) => `${level} ${name}`)
  }
  const added = [
    contact(like, 'Mir\u0430'),
    contact(likeOwn, 'Bakery'),
    watch(SECOND, 'Savings'),
    contact(SHOP, 'Shop'),
  ]
  const before = await Promise.all([like, likeOwn, SECOND].map(found))
  expect(before.slice(0, 2).every(findings => findings.includes('danger lookalikeAddress'))).toBe(true)
  expect((await ui.importEntries({ entries: added })).contacts).toBe(3)
  for (const to of [like, likeOwn]) expect(await found(to)).toContain('danger lookalikeAddress')
  const ofSavings = await found(SECOND)
  expect(ofSavings).toContain('none firstRecipient')
  expect(ofSavings).not.toContain('none ownRecipient')
  expect(await found(SHOP)).toContain('none knownContact')
  expect((await found(SHOP)).filter(finding => finding.startsWith('danger'))).toEqual([])
  // Three digits at the start and six at the end look as similar as four and four.
  expect(await found(`${mira.slice(0, 5)}${'2'.repeat(31)}${mira.slice(-6)}`)).toContain('danger lookalikeAddress')
  expect(await found(`${mira.slice(0, 3)}${'2'.repeat(38)}${mira.slice(-1)}`)).not.toContain('danger lookalikeAddress')
})

test('entries that cannot be added have a reason', async () => {
  const { ui, review } = await start()
  await ui.saveContact({ address: SHOP, name: 'Shop' })
  expect(
    await review(
      watch(MIRA.replace('d85F', 'D85F')),
      watch('0x12'),
      watch(ADDRESS),
      watch(MIRA, 'x'.repeat(33)),
      watch(MIRA, 'a\u202eb'),
      key('0x12'),
      key(`0x${'00'.repeat(32)}`),
    ),
  ).toEqual([
    'refused: wrongChecksum',
    'refused: notAddress',
    'known: accountExists',
    'refused: contactNameForm',
    'refused: contactNameForm',
    'refused: notKeyDigits',
    expect.stringMatching(/^refused: /),
  ])
  expect(
    await review(
      contact(ADDRESS, 'Me'),
      contact(SHOP, 'Other name'),
      contact(MIRA, 'shop'),
      contact(MIRA, 'Account 1'),
      contact(MIRA, 'x'.repeat(33)),
    ),
  ).toEqual([
    'known: ownContact',
    'known: contactExists',
    'refused: contactNameTaken',
    'refused: ownAccountName',
    'refused: contactNameForm',
  ])
  expect(
    await review(
      orbit({ chainId: 1 }),
      orbit({ chainId: 0 }),
      orbit({ title: 'x'.repeat(51) }),
      orbit({ symbol: 'x'.repeat(12) }),
    ),
  ).toEqual([
    'known: networkExists',
    'refused: notChainIdNumber',
    'refused: networkTitleForm',
    'refused: networkSymbolForm',
  ])
})

test('a repeated entry within a list counts as known', async () => {
  const { review } = await start()
  expect(
    await review(watch(MIRA), watch(MIRA), key(KEY), key(KEY.slice(2)), contact(SHOP, 'A'), contact(SHOP, 'B')),
  ).toEqual(['new', 'known: accountExists', 'new', 'known: accountExists', 'new', 'known: contactExists'])
})

test('importing the key of a watched account makes it a full account with the same name', async () => {
  const { ui, all } = await start()
  await ui.importEntries({ entries: [watch(OF_KEY, 'Till')] })
  expect(await ui.importEntries({ entries: [key(KEY, 'Other')] })).toMatchObject({ accounts: 1 })
  expect((await all()).accounts.at(-1)).toMatchObject({ address: OF_KEY, name: 'Till', kind: 'privateKey' })
})

test('no error contains a private key', async () => {
  const { ui } = await start()
  for (const wrong of [`${KEY}0`, `0x${'f'.repeat(64)}`, KEY.replace('0x', '0y')]) {
    const reviews = await ui.reviewImport({ entries: [key(wrong)] })
    expect(reviews[0]?.verdict).toBe('refused')
    expect(JSON.stringify(reviews)).not.toContain(wrong.slice(2, 40))
  }
})

test('only the imported nodes are queried, and only nodes on the right chain are added', async () => {
  const { ui, all, asked } = await start({ eth_chainId: () => '0x15838' })
  const rpcUrls = ['https://rpc.orbit.example', 'http://127.0.0.1:8545']
  const result = await ui.importEntries({
    entries: [orbit({ rpcUrls }), orbit({ chainId: 1, rpcUrls: ['https://eth.example'] })],
  })
  expect(result).toEqual({
    accounts: 0,
    contacts: 0,
    networks: 1,
    items: 0,
    nodes: [
      {
        chainId: 1,
        url: 'https://eth.example/',
        reason: { reason: 'rpcOtherChain', values: { reported: '88120', wanted: 1 } },
      },
      { chainId: 88_120, url: 'https://rpc.orbit.example/', reason: null },
      { chainId: 88_120, url: 'http://127.0.0.1:8545/', reason: null },
    ],
  })
  expect(asked.toSorted()).toEqual(['http://127.0.0.1:8545/', 'https://eth.example/', 'https://rpc.orbit.example/'])
  const { networks } = await all()
  expect(networks.find(({ chainId }) => chainId === 1)?.rpcUrls).toEqual([])
  expect(networks.at(-1)?.rpcUrls).toEqual(['https://rpc.orbit.example/', 'http://127.0.0.1:8545/'])
})

test('nodes that a file may not name, and nodes beyond the limit, are refused individually', async () => {
  const { ui } = await start()
  const rpcUrls = [
    'http://rpc.example',
    'https://user:secret@rpc.example',
    'ftp://rpc.example',
    ...Array.from({ length: 6 }, (_, at) => `https://rpc.example/${at}`),
    'https://rpc.example/0',
  ]
  const [review] = await ui.reviewImport({ entries: [orbit({ rpcUrls })] })
  expect(review?.nodes.map(({ reason }) => reason?.reason ?? 'usable')).toEqual([
    ...['fileNodeForm', 'fileNodeForm', 'fileNodeForm'],
    ...['usable', 'usable', 'usable', 'usable', 'usable', 'tooManyNodes'],
  ])
  const many = Array.from({ length: 51 }, (_, at) => `https://rpc.example/${at}`)
  await expect(ui.importEntries({ entries: [orbit({ rpcUrls: many })] })).rejects.toMatchObject({ code: -32005 })
})

test('a network is compared with the catalogue', async () => {
  const { ui } = await start()
  const findings = async (change: Parameters<typeof orbit>[0]) =>
    (await ui.reviewImport({ entries: [orbit(change)] }))[0]?.findings.map(({ name }) => name)
  expect(await findings({})).toEqual(['unlistedNetwork'])
  const base = { chainId: 8453, title: 'Base', symbol: 'ETH', explorerUrl: 'https://basescan.org' }
  expect(await findings(base)).toEqual(['listedNetwork'])
  expect(await findings({ ...base, symbol: 'USD', title: 'Cheap' })).toEqual(['otherNetworkName', 'otherCurrency'])
  expect(await findings({ title: 'Βase' })).toContain('imitatedNetwork')
})

test('the number of entries is limited, and a locked wallet does not import any', async () => {
  const { ui } = await start()
  const entries = Array.from({ length: MAX_ENTRIES + 1 }, () => watch(MIRA))
  await expect(ui.reviewImport({ entries })).rejects.toMatchObject({ reason: 'tooManyAtOnce' })
  await expect(ui.importEntries({ entries })).rejects.toMatchObject({ reason: 'tooManyAtOnce' })
  await ui.lock(null)
  await expect(ui.reviewImport({ entries: [] })).rejects.toMatchObject({ code: 4100 })
  await expect(ui.importEntries({ entries: [watch(MIRA)] })).rejects.toMatchObject({ code: 4100 })
  await ui.unlock({ password: PASSWORD })
})

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom(MIRA, SHOP, ADDRESS, KEY),
)
const entry: fc.Arbitrary<ImportEntry> = fc.oneof(
  fc.record({ kind: fc.constantFrom('watchOnly' as const, 'contact' as const), address: text, name: text }),
  fc.record({ kind: fc.constant('key' as const), privateKey: text, name: text }),
  fc.record({
    kind: fc.constant('network' as const),
    chainId: fc.oneof(fc.nat(), fc.double(), fc.constantFrom(1, 8217)),
    title: text,
    symbol: text,
    explorerUrl: text,
    rpcUrls: fc.array(fc.oneof(text, fc.webUrl()), { maxLength: 8 }),
  }),
)

test('an import adds exactly the entries that the review calls new, and a second import adds none', async () => {
  const { ui } = await start()
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async entries => {
      const withoutNodes = entries.map(one => (one.kind === 'network' ? { ...one, rpcUrls: [] } : one))
      const reviews = await ui.reviewImport({ entries: withoutNodes })
      const { accounts, contacts, networks } = await ui.importEntries({ entries: withoutNodes })
      expect(accounts + contacts + networks).toBe(reviews.filter(({ verdict }) => verdict === 'new').length)
      const again = await ui.importEntries({ entries: withoutNodes })
      expect(again).toEqual({ accounts: 0, contacts: 0, networks: 0, items: 0, nodes: [] })
    }),
    { numRuns: 60 },
  )
})

test('an entry with missing parts is not refused', async () => {
  const { ui, review, all } = await start()
  const listed = orbit({ chainId: 137, title: '', symbol: '' })
  const bare = orbit({ title: '', explorerUrl: 'javascript:alert(1)' })
  const entries = [contact(MIRA, ' '), contact(SHOP, ''), watch(SECOND, ''), bare, listed]
  expect(await review(...entries)).toEqual(Array(entries.length).fill('new'))
  expect(await review(orbit({ symbol: '' }))).toEqual(['refused: networkSymbolForm'])
  await ui.importEntries({ entries })
  const after = await all()
  expect(after.contacts.map(({ name }) => name).sort()).toEqual(['0x1f37…B1b6', '0xA0b8…eB48'])
  expect(after.networks.slice(-2)).toMatchObject([
    { chainId: 88_120, title: 'Chain 88120', symbol: 'OTT' },
    { chainId: 137, title: 'Polygon', symbol: 'POL' },
  ])
  expect(after.networks.at(-2)).not.toHaveProperty('explorerUrl')
})
