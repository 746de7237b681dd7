import { expect, test } from 'vitest'
import { ADDRESS_LOWER, connectedWallet, OTHER_SITE, SITE } from '../wallet.fixture.ts'

const mine = {
  invoker: SITE,
  parentCapability: 'eth_accounts',
  date: 1_700_000_000_000,
  caveats: [{ type: 'restrictReturnedAccounts', value: [ADDRESS_LOWER] }],
}

test('a connected site has one permission, restricted to its accounts, and other sites have none', async () => {
  const { wallet, ask, shown } = await connectedWallet()
  expect(await ask('wallet_getPermissions')).toEqual([mine])
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'wallet_getPermissions' })).toEqual([])
  expect(shown).toEqual([])
})

test('locking the wallet does not revoke permissions', async () => {
  const { wallet, ask } = await connectedWallet()
  await wallet.ui.lock(null)
  expect(await ask('wallet_getPermissions')).toEqual([mine])
})
