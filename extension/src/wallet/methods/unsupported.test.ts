import { expect, test } from 'vitest'
import { connectedWallet } from '../wallet.fixture.ts'
import { unsupportedNames } from './unsupported.ts'

test('what is refused on purpose is 4200 and asks nobody; what is nothing is -32601', async () => {
  const { ask, shown } = await connectedWallet()
  for (const name of unsupportedNames) await expect(ask(name, {}), name).rejects.toMatchObject({ code: 4200 })
  for (const name of ['eth_unheardOf', 'wallet_unheardOf', 'personal_unheardOf', 'decrypt'])
    await expect(ask(name), name).rejects.toMatchObject({ code: -32601 })
  expect(shown).toEqual([])
})
