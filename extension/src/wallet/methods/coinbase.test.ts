import { expect, test } from 'vitest'
import { ADDRESS, ADDRESS_LOWER, connectedWallet, OTHER_SITE, SECOND, SITE } from '../wallet.fixture.ts'

test("returns the site's first account in lower case, also while locked, and null for an unconnected site", async () => {
  const { wallet, ask } = await connectedWallet()
  expect(await ask('eth_coinbase')).toBe(ADDRESS_LOWER)
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_coinbase' })).toBeNull()
  await wallet.ui.lock(null)
  expect(await ask('eth_coinbase')).toBe(ADDRESS_LOWER)
})

test('follows the order in which the user selected the accounts', async () => {
  const { wallet, ask } = await connectedWallet({ person: () => ({ approve: true, accounts: [SECOND, ADDRESS] }) })
  await wallet.ui.addAccount({ name: 'Second' })
  await wallet.request(SITE, { id: 'again', method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
  expect(await ask('eth_coinbase')).toBe(SECOND.toLowerCase())
})
