import { expect, test } from 'vitest'
import { makeKeystore } from '../keys/keystore.ts'
import { ADDRESS, CHEAP_KEYSTORE, PASSWORD, PHRASE, startWallet } from '../wallet.fixture.ts'

const KEY = '0x0000000000000000000000000000000000000000000000000000000000000001'
const OF_KEY = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'

test("a key's or phrase's address is shown before setup, and other input is rejected", async () => {
  const { wallet } = startWallet()
  expect(await wallet.ui.addressOf({ privateKey: ` ${KEY.slice(2)} ` })).toBe(OF_KEY)
  expect(await wallet.ui.addressOf({ phrase: PHRASE })).toBe(ADDRESS)
  expect(await wallet.ui.addressOf({ phrase: PHRASE, passphrase: 'other' })).not.toBe(ADDRESS)
  for (const input of [{ privateKey: '0x12' }, { phrase: 'no phrase' }, { phrase: PHRASE, path: 'm/1' }])
    await expect(wallet.ui.addressOf(input)).rejects.toMatchObject({ code: -32602 })
})

test('a keystore is described and decrypted before setup', async () => {
  const { wallet, state } = startWallet()
  const keystore = await makeKeystore(new Uint8Array(32).with(31, 1), 'its own', CHEAP_KEYSTORE, () => {})
  expect(await wallet.ui.describeKeystore({ keystore })).toEqual({ kdf: 'scrypt', cost: 2, address: OF_KEY })
  const nameless = JSON.stringify({ ...JSON.parse(keystore), address: undefined })
  expect(await wallet.ui.describeKeystore({ keystore: nameless })).toMatchObject({ address: null })
  await expect(wallet.ui.describeKeystore({ keystore: '{}' })).rejects.toMatchObject({ code: -32602 })
  await expect(wallet.ui.openKeystore({ keystore, password: 'wrong' })).rejects.toMatchObject({ code: -32602 })
  const privateKey = await wallet.ui.openKeystore({ keystore, password: 'its own' })
  expect(privateKey).toBe(KEY)
  await wallet.ui.createVault({ password: PASSWORD, privateKey, name: ' Till ' })
  expect(state()).toMatchObject({
    phase: 'unlocked',
    phrases: [],
    accounts: [{ address: OF_KEY, name: 'Till', kind: 'privateKey' }],
  })
})
