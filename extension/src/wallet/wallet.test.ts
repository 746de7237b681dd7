import { verifyMessage } from 'ethers'
import { expect, test } from 'vitest'
import { MAX_CONCURRENT, MAX_QUEUED } from './requests/gate.ts'
import { memoryStore, type Store } from './storage/store.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  approve,
  connectedWallet,
  createdWallet,
  OTHER_SITE,
  PASSWORD,
  PHRASE,
  reject,
  SECOND,
  SITE,
  startWallet,
  undecided,
} from './wallet.fixture.ts'

const personalSign = (id: string, text = 'hello') => ({ id, method: 'personal_sign', params: [text, ADDRESS] })

test('a site is connected to the accounts that the user selects', async () => {
  const { wallet, events } = startWallet()
  await wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  expect(await wallet.request(SITE, { id: '1', method: 'eth_accounts' })).toEqual([])
  expect(await wallet.request(SITE, { id: '2', method: 'eth_requestAccounts' })).toEqual([ADDRESS_LOWER])
  expect(await wallet.request(SITE, { id: '3', method: 'eth_accounts' })).toEqual([ADDRESS_LOWER])
  expect(await wallet.request(OTHER_SITE, { id: '4', method: 'eth_accounts' })).toEqual([])
  expect(events).toContainEqual({ origin: SITE, event: 'accountsChanged', data: [ADDRESS_LOWER] })
})

test('a connected site gets its accounts without a new approval', async () => {
  const { wallet, shown } = await connectedWallet()
  await wallet.request(SITE, { id: 'again', method: 'eth_requestAccounts' })
  expect(shown).toEqual([])
})

test('personal_sign returns a valid signature for either order of params', async () => {
  const { wallet } = await connectedWallet()
  const signature = await wallet.request(SITE, personalSign('1'))
  expect(verifyMessage('hello', String(signature))).toBe(ADDRESS)
  expect(await wallet.request(SITE, { id: '2', method: 'personal_sign', params: [ADDRESS, 'hello'] })).toBe(signature)
})

test('a rejection is 4001, and an unknown account is 4100', async () => {
  const { wallet } = await connectedWallet({ person: reject })
  await expect(wallet.request(SITE, personalSign('1'))).rejects.toMatchObject({ code: 4001 })
  const foreign = { id: '2', method: 'personal_sign', params: ['hello', SECOND] }
  await expect(wallet.request(SITE, foreign)).rejects.toMatchObject({ code: 4100 })
  await expect(wallet.request(OTHER_SITE, personalSign('3'))).rejects.toMatchObject({ code: 4100 })
})

test('a request that is sent twice is shown once and answered twice', async () => {
  const { wallet, shown } = await connectedWallet()
  const [one, other] = await Promise.all([
    wallet.request(SITE, personalSign('1')),
    wallet.request(SITE, personalSign('1')),
  ])
  expect(one).toBe(other)
  expect(shown.filter(page => page === 'approval')).toHaveLength(1)
  expect(await wallet.request(SITE, personalSign('1'))).toBe(one)
})

test('a request survives a restart of the worker, and a repeat gets the same response', async () => {
  const before = await connectedWallet({ person: undecided })
  const lost = before.wallet.request(SITE, personalSign('1'))
  lost.catch(() => undefined)
  await expect.poll(() => before.shown).toEqual(['approval'])

  const after = startWallet({ store: before.store })
  expect(verifyMessage('hello', String(await after.wallet.request(SITE, personalSign('1'))))).toBe(ADDRESS)
  expect((await after.wallet.ui.getState(null)).requests).toEqual([])
})

test('a request approved just before the worker stopped is executed by the next worker', async () => {
  const before = await connectedWallet({ person: undecided })
  before.wallet.request(SITE, personalSign('1')).catch(() => undefined)
  await expect.poll(() => before.shown).toEqual(['approval'])
  const requests = (await before.store.session.get('requests')) as { key: string }[]
  const decided = requests.map(request =>
    request.key === `${SITE} 1` ? { ...request, decision: { approve: true, accounts: [] } } : request,
  )
  await before.store.session.set('requests', decided)

  const after = startWallet({ store: before.store, person: undecided })
  await after.wallet.resume()
  expect(verifyMessage('hello', String(await after.wallet.request(SITE, personalSign('1'))))).toBe(ADDRESS)
  expect(after.shown).toEqual(['hidden'])
})

test('a locked wallet keeps the site connected, asks for the password and continues', async () => {
  const { wallet, events } = await connectedWallet({ person: approve })
  await wallet.ui.lock(null)
  expect(await wallet.request(SITE, { id: '1', method: 'eth_accounts' })).toEqual([ADDRESS_LOWER])
  expect(events).toEqual([])

  const accounts = wallet.request(SITE, { id: '2', method: 'eth_requestAccounts' })
  const signature = wallet.request(SITE, personalSign('3'))
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(2)
  const locked = await wallet.ui.getState(null)
  expect([locked.requests, locked.accounts, locked.selected]).toEqual([[], [], null])
  const [first] = locked.waiting
  await expect(wallet.ui.decide({ id: String(first?.id), approve: true, revision: 0 })).rejects.toMatchObject({
    code: 4100,
  })

  await wallet.ui.unlock({ password: PASSWORD })
  expect(await accounts).toEqual([ADDRESS_LOWER])
  const [request] = (await wallet.ui.getState(null)).requests
  await wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0 })
  expect(verifyMessage('hello', String(await signature))).toBe(ADDRESS)
})

test('before setup, a request opens onboarding and gets an error', async () => {
  const { wallet, shown } = startWallet()
  await expect(wallet.request(SITE, { id: '1', method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4100 })
  expect(shown).toEqual(['set-up'])
})

test('closing a page withdraws only its own open requests', async () => {
  const { wallet } = await connectedWallet({ person: undecided })
  const gone = wallet.request(SITE, personalSign('1'))
  const stays = wallet.request(SITE, personalSign('2'))
  stays.catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(2)
  await wallet.abandon(SITE, ['1', 'unknown'])
  await expect(gone).rejects.toMatchObject({ code: 4001 })
  expect((await wallet.ui.getState(null)).requests).toHaveLength(1)
})

test('a site cannot fill the queue or have two connection requests', async () => {
  const { wallet } = await connectedWallet({ person: undecided })
  const flood = Array.from({ length: 30 }, (_, i) =>
    wallet.request(SITE, personalSign(`flood ${i}`)).catch(e => e.code),
  )
  await expect.poll(async () => (await wallet.ui.getState(null)).requests.length).toBe(20)
  expect((await Promise.all(flood.slice(20))).every(code => code === -32005)).toBe(true)

  wallet.request(OTHER_SITE, { id: '1', method: 'eth_requestAccounts' }).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests.length).toBe(21)
  await expect(wallet.request(OTHER_SITE, { id: '2', method: 'eth_requestAccounts' })).rejects.toMatchObject({
    code: -32002,
  })
})

test("requests over a site's limit are rejected without reading the stores, and do not delay other sites", async () => {
  const { store } = await connectedWallet()
  let looks = 0
  const counting = (inner: Store): Store => ({
    ...inner,
    get: async name => {
      looks++
      return inner.get(name)
    },
  })
  const counted = { local: counting(store.local), session: counting(store.session) }
  const { wallet } = startWallet({ store: counted, person: undecided })
  const ended: string[] = []
  const flood = Array.from({ length: 10_000 }, (_, at) =>
    wallet.request(OTHER_SITE, { id: `${at}`, method: 'eth_chainId' }).then(
      () => ended.push('read'),
      ({ code }) => ended.push(String(code)),
    ),
  )
  const before = looks
  await wallet.request(SITE, { id: 'x', method: 'eth_accounts' }).then(() => ended.push('the other site'))
  expect(looks - before).toBeLessThan(500)
  await Promise.all(flood)
  const reads = ended.filter(what => what === 'read').length
  expect(reads).toBe(MAX_CONCURRENT + MAX_QUEUED)
  expect(ended.indexOf('the other site')).toBeLessThan(ended.lastIndexOf('read') - reads / 2)
  expect(ended.filter(what => what === '-32005')).toHaveLength(10_000 - reads)
})

test('repeated rejections mute the method for the site for a while', async () => {
  const { wallet, shown } = await connectedWallet({ person: reject })
  for (const id of ['1', '2', '3'])
    await expect(wallet.request(SITE, personalSign(id))).rejects.toMatchObject({ code: 4001 })
  shown.length = 0
  await expect(wallet.request(SITE, personalSign('4'))).rejects.toMatchObject({ code: -32005 })
  expect(shown).toEqual([])
  const other = { id: '5', method: 'chain_sign', params: [ADDRESS, '0x00'] }
  await expect(wallet.request(SITE, other)).rejects.toMatchObject({ code: 4001 })
  await expect(wallet.request(OTHER_SITE, { id: '1', method: 'eth_requestAccounts' })).rejects.toMatchObject({
    code: 4001,
  })
})

test('a closed page or an expired request does not count as a rejection', async () => {
  const { wallet } = await connectedWallet({ person: undecided })
  for (const id of ['1', '2', '3', '4']) {
    const answer = wallet.request(SITE, personalSign(id)).catch(({ code }) => code)
    await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
    await wallet.abandon(SITE, [id])
    expect(await answer).toBe(4001)
  }
})

test('abandoned requests open at most three windows per minute until the user opens the wallet', async () => {
  const { wallet, shown } = await connectedWallet({ person: undecided })
  const windowsOf = async (ids: readonly string[]) => {
    shown.length = 0
    for (const id of ids) {
      const answer = wallet.request(SITE, { ...personalSign(id), tab: 1 }).catch(({ code }) => code)
      await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
      await wallet.abandon(SITE, [id])
      expect(await answer).toBe(4001)
    }
    return shown.filter(act => act === 'approval').length
  }
  expect(await windowsOf(['1', '2', '3', '4', '5'])).toBe(3)
  await wallet.opened()
  expect(await windowsOf(['6'])).toBe(1)
})

test('an unknown method is -32601, whatever its name', async () => {
  const { wallet } = await connectedWallet()
  for (const method of ['eth_nothing', 'constructor', '__proto__', 'toString', 'ethsign', 'evil_sign', ''])
    await expect(wallet.request(SITE, { id: method, method })).rejects.toMatchObject({ code: -32601 })
})

test('invalid params are -32602 before the user is asked', async () => {
  const { wallet, shown } = await connectedWallet()
  for (const params of [undefined, null, [], ['hello'], [1, ADDRESS], ['0x123', ADDRESS], { 0: 'hello', 1: ADDRESS }])
    await expect(wallet.request(SITE, { id: 'x', method: 'personal_sign', params })).rejects.toMatchObject({
      code: -32602,
    })
  expect(shown).toEqual([])
})

const WATCHED = '0x0000000000000000000000000000000000000001'
const asWatched = { method: 'personal_sign', params: ['hello', WATCHED] }

/** Creates a wallet connected to SITE with its first account and a watch-only one. */
const watchingWallet = async (person = approve) => {
  const first = await createdWallet()
  await first.wallet.ui.addWatchOnly({ address: WATCHED, name: 'Watched' })
  await first.wallet.request(SITE, { id: 'connect', method: 'eth_requestAccounts' })
  return startWallet({ store: first.store, person })
}

test('signing with a watch-only account is rejected without asking the user', async () => {
  const { shown, ask } = await watchingWallet()
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER, WATCHED])
  const typedData = { domain: {}, types: { EIP712Domain: [], Mail: [] }, primaryType: 'Mail', message: {} }
  for (const [method, ...params] of [
    ['personal_sign', 'hello', WATCHED],
    ['eth_sign', WATCHED, 'hello'],
    ['eth_signTypedData_v4', WATCHED, typedData],
    ['eth_sendTransaction', { from: WATCHED, to: ADDRESS }],
    ['eth_signTransaction', { from: WATCHED, to: ADDRESS }],
  ] as const)
    await expect(ask(method, ...params), method).rejects.toMatchObject({
      code: 4100,
      message: `The account ${WATCHED} is watch-only: its key is not in this wallet`,
    })
  expect(shown).toEqual([])
})

test('a request for a watch-only account while locked is rejected at the unlock', async () => {
  const { wallet, shown } = await watchingWallet(undecided)
  await wallet.ui.lock(null)
  const refused = expect(wallet.request(SITE, { id: '1', ...asWatched })).rejects.toMatchObject({
    code: 4100,
    message: expect.stringContaining('watch-only'),
  })
  const waiting = wallet.request(SITE, personalSign('2'))
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(2)
  await wallet.ui.unlock({ password: PASSWORD })
  await refused
  const { requests } = await wallet.ui.getState(null)
  expect(requests).toMatchObject([{ account: { address: ADDRESS } }])
  expect(shown).not.toContain('hidden')
  await wallet.ui.decide({ id: String(requests[0]?.id), approve: true, revision: 0 })
  expect(verifyMessage('hello', String(await waiting))).toBe(ADDRESS)
})

test('the window that asks for the unlock stays open for the request', async () => {
  const { store } = await connectedWallet()
  const { wallet, shown } = startWallet({ store: { ...store, session: memoryStore() }, person: undecided })
  const signature = wallet.request(SITE, personalSign('1'))
  await expect.poll(() => shown).toEqual(['approval'])
  await wallet.ui.unlock({ password: PASSWORD })
  const [request] = (await wallet.ui.getState(null)).requests
  expect(shown).toEqual(['approval', 'approval'])
  await wallet.ui.decide({ id: String(request?.id), approve: true, revision: Number(request?.revision) })
  expect(verifyMessage('hello', String(await signature))).toBe(ADDRESS)
  expect(shown.at(-1)).toBe('hidden')
})

test('an imported key, and a key from a second phrase, can sign', async () => {
  const { wallet } = await createdWallet()
  const { address: ofKey } = await wallet.ui.importPrivateKey({ privateKey: '11'.repeat(32), name: 'Key' })
  const { address: ofPhrase } = await wallet.ui.importPhrase({ phrase: PHRASE, passphrase: 'x', name: 'Other' })
  await wallet.request(SITE, { id: 'connect', method: 'eth_requestAccounts' })
  for (const address of [ofKey, ofPhrase]) {
    const request = { id: address, method: 'personal_sign', params: ['hello', address] }
    expect(verifyMessage('hello', String(await wallet.request(SITE, request)))).toBe(address)
  }
})

test("requests that the user's settings refuse are recorded for the connected site, and other errors are not", async () => {
  const { wallet, ask, shown } = await connectedWallet()
  const signIn = `bank.example wants you to sign in with your Ethereum account:\n${ADDRESS}\n\nURI: https://bank.example`
  const asked = async (origin: string) =>
    (await wallet.ui.getState(null)).sites.find(site => site.origin === origin)?.asked
  await expect(ask('personal_sign', 'hello', SECOND)).rejects.toMatchObject({ code: 4100 })
  expect(await asked(SITE)).toMatchObject({ kind: 'connect', outcome: 'approved' })
  await expect(ask('personal_sign', signIn, ADDRESS)).rejects.toMatchObject({ code: -32602 })
  expect(await asked(SITE)).toMatchObject({ kind: 'message', outcome: 'refused' })
  const misleading = {
    domain: { verifyingContract: ADDRESS },
    types: { EIP712Domain: [{ name: 'verifyingContract', type: 'address' }], Mail: [] },
    primaryType: 'Mail',
    message: {},
  }
  await expect(ask('eth_signTypedData_v4', ADDRESS, misleading)).rejects.toMatchObject({ code: -32602 })
  expect(await asked(SITE)).toMatchObject({ kind: 'typedData', outcome: 'refused' })
  await expect(wallet.request(OTHER_SITE, personalSign('1', signIn))).rejects.toMatchObject({ code: 4100 })
  expect(await asked(OTHER_SITE)).toBeUndefined()
  expect(shown).toEqual([])
})
