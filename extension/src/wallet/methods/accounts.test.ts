import { expect, test } from 'vitest'
import { ADDRESS_LOWER, connectedWallet, OTHER_SITE, PASSWORD, startWallet } from '../wallet.fixture.ts'

test('eth_accounts lists what the site was given, in lower case, and nobody is asked', async () => {
  const { ask, shown } = await connectedWallet()
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  expect(await ask('chain_accounts')).toEqual([ADDRESS_LOWER])
  expect(shown).toEqual([])
})

test('there are none for a site that is not connected, while the wallet is locked, or before there is a wallet', async () => {
  const { wallet, ask } = await connectedWallet()
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_accounts' })).toEqual([])
  await wallet.ui.lock(null)
  expect(await ask('eth_accounts')).toEqual([])
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  expect(await startWallet().ask('eth_accounts')).toEqual([])
})

test('an account that was made later is not the sites to see', async () => {
  const { wallet, ask } = await connectedWallet()
  const { address } = await wallet.ui.addAccount({ name: 'Private' })
  await wallet.ui.selectAccount({ address })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})
