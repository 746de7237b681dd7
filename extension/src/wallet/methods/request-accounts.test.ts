import { expect, test } from 'vitest'
import {
  ADDRESS,
  ADDRESS_LOWER,
  connectedWallet,
  OTHER_SITE,
  PASSWORD,
  type Person,
  PHRASE,
  SECOND,
  SITE,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const picking =
  (...accounts: string[]): Person =>
  () => ({ approve: true, accounts })

const created = async (person: Person) => {
  const headless = startWallet({ person })
  await headless.wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  await headless.wallet.ui.addAccount({ name: 'Second' })
  return headless
}
const connect = (id: string) => ({ id, method: 'eth_requestAccounts' })

test('the site gets the selected accounts in the order of selection', async () => {
  const { ask, events } = await created(picking(SECOND, ADDRESS))
  const accounts = [SECOND.toLowerCase(), ADDRESS_LOWER]
  expect(await ask('eth_requestAccounts')).toEqual(accounts)
  expect(await ask('eth_accounts')).toEqual(accounts)
  expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: accounts }])
})

test('selecting no account, or an unknown one, is a rejection', async () => {
  for (const picked of [[], [`0x${'11'.repeat(20)}`]]) {
    const { ask, events } = await created(picking(...picked))
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
    expect(await ask('eth_accounts')).toEqual([])
    expect(events).toEqual([])
  }
})

test('a second connection request is -32002 while the first is open', async () => {
  const { wallet } = await created(undecided)
  const first = wallet.request(SITE, connect('1')).catch(({ code }) => code)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await expect(wallet.request(SITE, connect('2'))).rejects.toMatchObject({ code: -32002 })
  await wallet.ui.rejectAll(null)
  expect(await first).toBe(4001)
})

test('while the wallet is locked, all requests of a connected site are answered after one unlock', async () => {
  const { wallet, shown } = await connectedWallet({ person: undecided })
  await wallet.ui.lock(null)
  const answers = ['1', '2', '3'].map(id => wallet.request(SITE, connect(id)))
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(3)
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await Promise.all(answers)).toEqual([[ADDRESS_LOWER], [ADDRESS_LOWER], [ADDRESS_LOWER]])
  expect((await wallet.ui.getState(null)).waiting).toEqual([])
  expect(shown.at(-1)).toBe('hidden')
})

test('a request that arrives during the unlock is answered', async () => {
  const { wallet, store } = await connectedWallet({ person: undecided })
  for (let delay = 0; delay < 60; delay++) {
    await wallet.ui.lock(null)
    const restarted = startWallet({ store, person: undecided })
    const answer = restarted.wallet.request(SITE, connect(`${delay}`))
    for (let turn = 0; turn < delay; turn++) await Promise.resolve()
    const unlocked = restarted.wallet.ui.unlock({ password: PASSWORD })
    expect(await answer, `${delay} turns later`).toEqual([ADDRESS_LOWER])
    await unlocked
  }
})

test('unlocking does not connect a site; the user is asked afterwards', async () => {
  const { wallet } = await connectedWallet({ person: undecided })
  await wallet.ui.lock(null)
  const answer = wallet.request(OTHER_SITE, connect('1'))
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(1)
  await wallet.ui.unlock({ password: PASSWORD })
  const [request] = (await wallet.ui.getState(null)).requests
  expect(request).toMatchObject({ origin: OTHER_SITE, effect: { kind: 'connect', accounts: [{ address: ADDRESS }] } })
  await wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0, accounts: [ADDRESS] })
  expect(await answer).toEqual([ADDRESS_LOWER])
})
