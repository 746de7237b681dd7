import { expect, test } from 'vitest'
import { ADDRESS_LOWER, connectedWallet, OTHER_SITE, PASSWORD, startWallet } from '../wallet.fixture.ts'

test("eth_accounts returns the site's accounts in lower case, without asking the user", async () => {
  const { ask, shown } = await connectedWallet()
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  expect(await ask('chain_accounts')).toEqual([ADDRESS_LOWER])
  expect(shown).toEqual([])
})

test('an unconnected site gets no accounts, and neither does any site before setup', async () => {
  const { wallet } = await connectedWallet()
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_accounts' })).toEqual([])
  expect(await startWallet().ask('eth_accounts')).toEqual([])
})

test('a connected site keeps its accounts through lock and unlock', async () => {
  const { wallet, ask } = await connectedWallet()
  await wallet.ui.lock(null)
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  expect(await wallet.request(OTHER_SITE, { id: '1', method: 'eth_accounts' })).toEqual([])
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})

test('a site does not see accounts that were added later', async () => {
  const { wallet, ask } = await connectedWallet()
  const { address } = await wallet.ui.addAccount({ name: 'Private' })
  await wallet.ui.selectAccount({ address })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})
