import { dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonPasswords as assetOf } from '../../../common-passwords.ts'
import { commonPasswords, createdWallet, PASSWORD, PHRASE, startWallet } from '../wallet.fixture.ts'
import { assertPassword } from './password.ts'
import { MIN_PASSWORD_LENGTH } from './password-form.ts'

const common = assetOf()
const listed = async () => common

test('the list has the 10,000 most common passwords with at least the minimum length', () => {
  expect(common).toHaveLength(10_000)
  expect(new Set(common).size).toBe(10_000)
  expect(common.every(password => password.length >= MIN_PASSWORD_LENGTH)).toBe(true)
  expect(common.slice(0, 4)).toEqual(['password', '12345678', '123456789', 'baseball'])
})

test('each of the 10,000 most common passwords is rejected, regardless of its length', async () => {
  const first = dictionary['passwords-common'].slice(0, 10_000) as string[]
  const taken = await Promise.all(
    first.map(password =>
      assertPassword(password, listed).then(
        () => password,
        () => null,
      ),
    ),
  )
  expect(taken.filter(password => password !== null)).toEqual([])
})

test('the comparison with common passwords ignores case and character width', async () => {
  const widened = (password: string) =>
    password.replace(/[!-~]/g, character => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...common), fc.boolean(), fc.boolean(), async (password, upper, wide) => {
      const cased = upper ? password.toUpperCase() : password
      await expect(assertPassword(wide ? widened(cased) : cased, listed)).rejects.toMatchObject({
        code: -32602,
        reason: 'commonPassword',
      })
    }),
  )
})

test('four words are accepted, a short password is not', async () => {
  await assertPassword(PASSWORD, listed)
  await expect(assertPassword('Zx9!kQ2', listed)).rejects.toMatchObject({ reason: 'shortPassword' })
})

test('a new wallet, a changed password and a keystore reject common passwords', async () => {
  const [password = ''] = await commonPasswords()
  const refused = { code: -32602, reason: 'commonPassword' }
  await expect(startWallet().wallet.ui.createVault({ password, phrase: PHRASE })).rejects.toMatchObject(refused)
  const { wallet, state } = await createdWallet()
  await expect(wallet.ui.changePassword({ password: PASSWORD, newPassword: password })).rejects.toMatchObject(refused)
  const address = state()?.accounts[0]?.address ?? ''
  await expect(
    wallet.ui.exportKeystore({ address, password: PASSWORD, keystorePassword: password.toUpperCase() }),
  ).rejects.toMatchObject(refused)
})
