import { expect, test } from 'vitest'
import { ADDRESS, connectedWallet, OTHER_SITE, SITE, startWallet, undecided } from '../wallet.fixture.ts'

const EVERYTHING = { eth_accounts: {} }

test("revokes the accounts without asking the user, and notifies the site's pages", async () => {
  const { ask, events, shown, store } = await connectedWallet()
  expect(await ask('wallet_revokePermissions', EVERYTHING)).toBeNull()
  expect(await ask('eth_accounts')).toEqual([])
  expect(await ask('wallet_getPermissions')).toEqual([])
  await expect(ask('personal_sign', 'hello', ADDRESS)).rejects.toMatchObject({ code: 4100 })
  expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: [] }])
  expect(shown).toEqual([])
  expect(await startWallet({ store }).ask('eth_accounts')).toEqual([])
})

test.each([
  { 'endowment:permitted-chains': {} },
  { 'endowment:permitted-chains': { caveats: [{ type: 'restrictNetworkSwitching', value: ['0x1'] }] } },
  { snap_dialog: {}, 'endowment:permitted-chains': null },
])('%j disconnects the site, as in MetaMask', async permissions => {
  const { ask, events } = await connectedWallet()
  expect(await ask('wallet_revokePermissions', permissions)).toBeNull()
  expect(await ask('eth_accounts')).toEqual([])
  expect(await ask('wallet_getPermissions')).toEqual([])
  expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: [] }])
})

test('if an unconnected site revokes, other sites keep their permissions', async () => {
  const { wallet, ask, events } = await connectedWallet()
  const elsewhere = { id: '1', method: 'wallet_revokePermissions', params: [EVERYTHING] }
  expect(await wallet.request(OTHER_SITE, elsewhere)).toBeNull()
  expect(await ask('eth_accounts')).toHaveLength(1)
  expect(events).toEqual([])
})

test("the site's open requests are withdrawn", async () => {
  const { wallet, ask } = await connectedWallet({ person: undecided })
  const waiting = ask('personal_sign', 'hello', ADDRESS).catch(error => [error.code, error.message])
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await ask('wallet_revokePermissions', EVERYTHING)
  expect(await waiting).toEqual([4001, 'The site was disconnected'])
  expect((await wallet.ui.getState(null)).requests).toEqual([])
})

test('the user is asked again when the site reconnects', async () => {
  const { ask, shown } = await connectedWallet()
  await ask('wallet_revokePermissions', EVERYTHING)
  expect(await ask('eth_requestAccounts')).toHaveLength(1)
  expect(shown).toContain('approval')
})

test('other permissions are 4200, and params without a permission are -32602', async () => {
  const { ask } = await connectedWallet()
  for (const other of [{ eth_sign: {} }, { snap_dialog: {} }, { toString: {}, eth_sign: {} }])
    await expect(ask('wallet_revokePermissions', other)).rejects.toMatchObject({ code: 4200 })
  for (const params of [[], [null], [{}], ['eth_accounts']])
    await expect(ask('wallet_revokePermissions', ...params)).rejects.toMatchObject({ code: -32602 })
  expect(await ask('eth_accounts')).toHaveLength(1)
})
