import { expect, test } from 'vitest'
import {
  ADDRESS,
  ADDRESS_LOWER,
  approve,
  PASSWORD,
  type Person,
  recordingWallet,
  reject,
  SECOND,
  SITE,
  undecided,
} from '../wallet.fixture.ts'

const EVERYTHING = { eth_accounts: {} }
const only = (...accounts: unknown[]) => ({ eth_accounts: { restrictReturnedAccounts: accounts } })
const CHAINS = 'endowment:permitted-chains'
const caveat = (...value: unknown[]) => ({ type: 'restrictReturnedAccounts', value })
const ofChains = { caveats: [{ type: 'restrictNetworkSwitching', value: ['0x1'] }] }

/** Creates a wallet with two accounts, the first of which is connected to SITE. */
const start = async (person: Person = approve) => {
  const headless = await recordingWallet({ person })
  await headless.wallet.ui.addAccount({ name: 'Second' })
  return headless
}
const permission = (...accounts: string[]) => [
  {
    invoker: SITE,
    parentCapability: 'eth_accounts',
    date: 1_700_000_000_000,
    caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
  },
]

test("for a connected site, the user is asked again, with the site's accounts preselected", async () => {
  const { ask, seen, events } = await start()
  expect(await ask('wallet_requestPermissions', EVERYTHING)).toEqual(permission(ADDRESS_LOWER, SECOND.toLowerCase()))
  expect(seen).toMatchObject([{ effect: { kind: 'connect', connected: [ADDRESS], only: null, accounts: [{}, {}] } }])
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER, SECOND.toLowerCase()])
  expect(events).toEqual([{ origin: SITE, event: 'accountsChanged', data: [ADDRESS_LOWER, SECOND.toLowerCase()] }])
})

test('if a site requests certain accounts, only those are offered', async () => {
  const offered = await start()
  await offered.ask('wallet_requestPermissions', only(SECOND))
  expect(offered.seen[0]?.effect).toMatchObject({ accounts: [{ address: SECOND }], only: [SECOND] })
  expect(await offered.ask('eth_accounts')).toEqual([SECOND.toLowerCase()])

  const forced = await start(() => ({ approve: true, accounts: [ADDRESS] }))
  await expect(forced.ask('wallet_requestPermissions', only(SECOND))).rejects.toMatchObject({ code: 4001 })
  expect(await forced.ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})

test("MetaMask's documented form of the caveat offers those accounts", async () => {
  const { ask, seen } = await start()
  await ask('wallet_requestPermissions', { eth_accounts: { caveats: [caveat(ADDRESS)] } })
  expect(seen[0]?.effect).toMatchObject({ accounts: [{ address: ADDRESS }], only: [ADDRESS] })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  expect(await ask('wallet_getPermissions')).toEqual(permission(ADDRESS_LOWER))
})

test('with two restrictions, only accounts in both are offered', async () => {
  const { ask, seen } = await start()
  const both = { restrictReturnedAccounts: [ADDRESS, SECOND], caveats: [caveat(SECOND)] }
  await ask('wallet_requestPermissions', { eth_accounts: both })
  expect(seen[0]?.effect).toMatchObject({ only: [SECOND] })
})

const given = { invoker: SITE, parentCapability: 'eth_accounts', id: 'x', date: 1, '@context': [] }
const unknown = { type: 'filterResponse', value: [SECOND] }

test.each([
  { caveats: [caveat(ADDRESS), unknown] },
  { caveats: [unknown, { type: 'restrictNetworkSwitching', value: ['0x1'] }, caveat(ADDRESS)] },
  { caveats: [null, caveat(ADDRESS), 'odd', {}] },
  { restrictReturnedAccounts: [ADDRESS], filterResponse: [SECOND] },
  { restrictReturnedAccounts: [ADDRESS], caveats: [unknown] },
  { restrictReturnedAccounts: null, caveats: [caveat(ADDRESS)], filterResponse: null },
  { ...given, caveats: [{ ...caveat(ADDRESS_LOWER), name: 'exposedAccounts' }] },
])('%j offers only the named account, and unknown parts are ignored', async asked => {
  const { ask, seen } = await start()
  expect(await ask('wallet_requestPermissions', { eth_accounts: asked })).toEqual(permission(ADDRESS_LOWER))
  expect(seen).toMatchObject([{ effect: { kind: 'connect', accounts: [{ address: ADDRESS }], only: [ADDRESS] } }])
})

const UNRESTRICTED = [
  {},
  { caveats: [] },
  { caveats: null },
  { restrictReturnedAccounts: null },
  { requiredMethods: ['signTypedData_v3'] },
]
const BESIDE = [{}, { [CHAINS]: ofChains }, { [CHAINS]: {} }, { snap_dialog: {}, [CHAINS]: null }, { wallet_snap: {} }]

test.each(UNRESTRICTED.flatMap(own => BESIDE.map(beside => [own, beside] as const)))(
  'eth_accounts %j with %j is requested, only eth_accounts is granted, and the same params revoke it',
  async (own, beside) => {
    for (const params of [
      { eth_accounts: own, ...beside },
      { ...beside, eth_accounts: own },
    ]) {
      const { ask, seen } = await start()
      const granted = permission(ADDRESS_LOWER, SECOND.toLowerCase())
      expect(await ask('wallet_requestPermissions', params)).toEqual(granted)
      expect(await ask('wallet_getPermissions')).toEqual(granted)
      expect(seen).toMatchObject([{ effect: { kind: 'connect', only: null } }])
      expect(await ask('wallet_revokePermissions', params)).toBeNull()
      expect(await ask('wallet_getPermissions')).toEqual([])
      expect(await ask('eth_accounts')).toEqual([])
    }
  },
)

test('unknown accounts are not offered', async () => {
  const { ask, seen } = await start()
  await expect(ask('wallet_requestPermissions', only(`0x${'11'.repeat(20)}`))).rejects.toMatchObject({ code: 4001 })
  expect(seen[0]?.effect).toMatchObject({ accounts: [] })
})

test('a rejection is 4001 and revokes nothing', async () => {
  const { ask } = await start(reject)
  await expect(ask('wallet_requestPermissions', EVERYTHING)).rejects.toMatchObject({ code: 4001 })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})

test('a site has at most one open connection request under either method', async () => {
  const { wallet, ask } = await start(undecided)
  ask('wallet_requestPermissions', EVERYTHING).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await expect(ask('wallet_requestPermissions', EVERYTHING)).rejects.toMatchObject({ code: -32002 })
})

test('while the wallet is locked, the user unlocks it, then selects the accounts', async () => {
  const { wallet, ask } = await start(undecided)
  await wallet.ui.lock(null)
  const answer = ask('wallet_requestPermissions', EVERYTHING)
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(1)
  await wallet.ui.unlock({ password: PASSWORD })
  const [request] = (await wallet.ui.getState(null)).requests
  await wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0, accounts: [SECOND] })
  expect(await answer).toEqual(permission(SECOND.toLowerCase()))
})

test('other permissions are 4200, and unknown caveats or malformed params are -32602', async () => {
  const { ask, shown } = await start()
  for (const permissions of [{ eth_sign: {} }, { snap_dialog: {} }, { constructor: {} }, { [CHAINS]: {} }])
    await expect(ask('wallet_requestPermissions', permissions)).rejects.toMatchObject({ code: 4200 })
  const wrong: unknown[][] = [
    [],
    [null],
    [{}],
    ['eth_accounts'],
    [[EVERYTHING]],
    [{ eth_accounts: null }],
    [{ eth_accounts: true }],
    [{ eth_accounts: { filterResponse: [ADDRESS] } }],
    [only()],
    [only('me')],
    [only(7)],
    [{ eth_accounts: { restrictReturnedAccounts: ADDRESS } }],
    [only(...Array(101).fill(ADDRESS))],
    [{ eth_accounts: { caveats: {} } }],
    [{ eth_accounts: { requiredMethods: 'signTypedData_v3' } }],
    [{ eth_accounts: { caveats: [null] } }],
    [{ eth_accounts: { caveats: [{ type: 'filterResponse', value: [ADDRESS] }] } }],
    [{ eth_accounts: { caveats: [{ type: 'restrictNetworkSwitching', value: ['0x1'] }] } }],
    [{ eth_accounts: { caveats: [caveat(ADDRESS), caveat(SECOND)] } }],
    [{ eth_accounts: { caveats: [caveat()] } }],
    [{ eth_accounts: { caveats: [caveat('me')] } }],
    [{ eth_accounts: { caveats: [unknown, caveat('me')] } }],
    [{ eth_accounts: { caveats: [unknown, caveat()] } }],
    [{ eth_accounts: { restrictReturnedAccounts: [ADDRESS], caveats: {} } }],
    [{ eth_accounts: { restrictReturnedAccounts: [], filterResponse: [ADDRESS] } }],
    [{ eth_accounts: { ...given } }],
    [{ eth_accounts: { caveats: [{ type: 'restrictReturnedAccounts', value: ADDRESS }] } }],
    [{ eth_accounts: true, [CHAINS]: {} }],
  ]
  for (const params of wrong)
    await expect(ask('wallet_requestPermissions', ...params), JSON.stringify(params)).rejects.toMatchObject({
      code: -32602,
    })
  expect(shown).toEqual([])
})
