import { expect, test } from 'vitest'
import { ADDRESS_LOWER, connectedWallet, OTHER_SITE, PASSWORD, startWallet } from '../wallet.fixture.ts'

test('eth_accounts lists what the site was given, in lower case, and nobody is asked', async () => {
  const { ask, shown } = await connectedWallet()
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  expect(await ask('chain_accounts')).toEqual([ADDRESS_LOWER])
  expect(shown).toEqual([])
})

test('a site that is not connected gets no accounts, and neither does any before there is a wallet', async () => {
  const { wallet } = await connectedWallet()
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_accounts' })).toEqual([])
  expect(await startWallet().ask('eth_accounts')).toEqual([])
})

test('locking and unlocking leave a connected site its accounts', async () => {
  const { wallet, ask } = await connectedWallet()
  await wallet.ui.lock(null)
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_accounts' })).toEqual([])
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})

test('an account that was made later is not the sites to see', async () => {
  const { wallet, ask } = await connectedWallet()
  const { address } = await wallet.ui.addAccount({ name: 'Private' })
  await wallet.ui.selectAccount({ address })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})
