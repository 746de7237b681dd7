import { expect, test } from 'vitest'
import { connectedWallet } from '../wallet.fixture.ts'
import { unsupportedNames } from './unsupported.ts'

test('deliberately unsupported methods are 4200, unknown ones -32601', async () => {
  const { ask, shown } = await connectedWallet()
  for (const name of unsupportedNames) await expect(ask(name, {}), name).rejects.toMatchObject({ code: 4200 })
  for (const name of ['eth_unheardOf', 'wallet_unheardOf', 'personal_unheardOf', 'decrypt'])
    await expect(ask(name), name).rejects.toMatchObject({ code: -32601 })
  expect(shown).toEqual([])
})
