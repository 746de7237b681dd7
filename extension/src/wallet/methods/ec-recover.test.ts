import { Signature, Wallet as Signer } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, ADDRESS_LOWER, connectedWallet, startWallet } from '../wallet.fixture.ts'

const signer = new Signer(`0x${'46'.repeat(32)}`)
const account = signer.address.toLowerCase()

test('recovers the signer in lower case, from text and from bytes', async () => {
  const { ask } = startWallet()
  const signature = await signer.signMessage('héllo')
  expect(await ask('personal_ecRecover', 'héllo', signature)).toBe(account)
  const bytes = `0x${Buffer.from('héllo').toString('hex')}`
  expect(await ask('personal_ecRecover', bytes, signature)).toBe(account)
  expect(await ask('personal_ecRecover', 'hello', signature)).not.toBe(account)
})

test('recovers a signature of personal_sign on the same network', async () => {
  const { ask } = await connectedWallet()
  expect(await ask('personal_ecRecover', 'hello', await ask('personal_sign', 'hello', ADDRESS))).toBe(ADDRESS_LOWER)
})

test('an invalid signature is -32602', async () => {
  const { ask } = startWallet()
  const { r, s, yParity } = Signature.from(await signer.signMessage('hello'))
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const high = (order - BigInt(s)).toString(16).padStart(64, '0')
  const wrong = [
    '0x',
    'hello',
    `${r}${s.slice(2)}`,
    `${r}${s.slice(2)}1d`,
    `${r}${high}${yParity === 0 ? '1c' : '1b'}`,
    `0x${'00'.repeat(65)}`,
    null,
    5,
  ]
  for (const signature of wrong)
    await expect(ask('personal_ecRecover', 'hello', signature), String(signature)).rejects.toMatchObject({
      code: -32602,
    })
  await expect(ask('personal_ecRecover', 'hello')).rejects.toMatchObject({ code: -32602 })
  await expect(ask('personal_ecRecover', '0x123', `${r}${s.slice(2)}1b`)).rejects.toMatchObject({ code: -32602 })
})
