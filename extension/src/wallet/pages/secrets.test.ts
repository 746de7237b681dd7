import { decryptKeystoreJsonSync } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, createdWallet, NOW, PASSWORD, PHRASE, startWallet } from '../wallet.fixture.ts'

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const LONE_KEY = `0x${'11'.repeat(32)}`
const WATCHED = '0x0000000000000000000000000000000000000001'

test('a phrase and its passphrase are revealed only with the password', async () => {
  const { wallet } = startWallet()
  await wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE, passphrase: ' of my own ' })
  const phraseId = String((await wallet.ui.getState(null)).phrases[0]?.id)
  expect(await wallet.ui.revealPhrase({ phraseId, password: PASSWORD })).toEqual({
    phrase: PHRASE,
    passphrase: ' of my own ',
  })
  for (const password of ['', 'wrong', PASSWORD.toUpperCase()])
    await expect(wallet.ui.revealPhrase({ phraseId, password })).rejects.toMatchObject({
      reason: 'wrongPassword',
    })
  await expect(wallet.ui.revealPhrase({ phraseId: 'another', password: PASSWORD })).rejects.toMatchObject({
    code: -32602,
  })
})

test('an existing key is revealed only with the password', async () => {
  const { wallet } = await createdWallet()
  const { address } = await wallet.ui.importPrivateKey({ privateKey: LONE_KEY, name: 'Key' })
  await wallet.ui.addWatchOnly({ address: WATCHED, name: 'Watched' })
  expect(await wallet.ui.revealPrivateKey({ address: ADDRESS, password: PASSWORD })).toBe(KEY)
  expect(await wallet.ui.revealPrivateKey({ address, password: PASSWORD })).toBe(LONE_KEY)
  await expect(wallet.ui.revealPrivateKey({ address, password: 'wrong' })).rejects.toMatchObject({
    reason: 'wrongPassword',
  })
  await expect(wallet.ui.revealPrivateKey({ address: WATCHED, password: PASSWORD })).rejects.toThrow('watch-only')
})

test("a keystore is exported with the wallet's password, and encrypted with another password", async () => {
  const { wallet, state } = await createdWallet()
  const { fileName, keystore } = await wallet.ui.exportKeystore({
    address: ADDRESS.toLowerCase(),
    password: PASSWORD,
    keystorePassword: 'its own words',
  })
  expect(fileName).toBe(`UTC--${new Date(NOW).toISOString().replaceAll(':', '-')}--${ADDRESS.slice(2).toLowerCase()}`)
  expect(decryptKeystoreJsonSync(keystore, 'its own words')).toMatchObject({ address: ADDRESS, privateKey: KEY })
  await expect.poll(() => state()?.task).toBeNull()
})

test('exporting a keystore requires the password, a key, and a new password of sufficient length', async () => {
  const { wallet } = await createdWallet()
  await wallet.ui.addWatchOnly({ address: WATCHED, name: 'Watched' })
  const given = { address: ADDRESS, password: PASSWORD, keystorePassword: 'its own words' }
  await expect(wallet.ui.exportKeystore({ ...given, password: 'wrong' })).rejects.toMatchObject({
    reason: 'wrongPassword',
  })
  await expect(wallet.ui.exportKeystore({ ...given, address: WATCHED })).rejects.toThrow('watch-only')
  await expect(wallet.ui.exportKeystore({ ...given, keystorePassword: '1234567' })).rejects.toMatchObject({
    code: -32602,
  })
})

test('a locked wallet does not reveal secrets, with any password', async () => {
  const { wallet } = await createdWallet()
  const phraseId = String((await wallet.ui.getState(null)).phrases[0]?.id)
  await wallet.ui.lock(null)
  for (const attempt of [
    wallet.ui.revealPhrase({ phraseId, password: PASSWORD }),
    wallet.ui.revealPrivateKey({ address: ADDRESS, password: PASSWORD }),
    wallet.ui.exportKeystore({ address: ADDRESS, password: PASSWORD, keystorePassword: 'its own words' }),
  ])
    await expect(attempt).rejects.toMatchObject({ code: 4100, message: 'The wallet is locked' })
})
