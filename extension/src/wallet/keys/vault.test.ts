import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore, type Store, type Stores } from '../storage/store.ts'
import { ADDRESS, CHEAP_KDF, commonPasswords, DERIVATION, PASSWORD, SECRETS_V1 } from '../wallet.fixture.ts'
import { accountsOf } from './keyring.ts'
import { secretsOf, withName } from './keyring-changes.ts'
import { createVault } from './vault.ts'
import { deriveKey, newKdf, type Secrets, sealVault, VaultError, type VaultFile } from './vault-file.ts'

const secrets = await secretsOf(DERIVATION)
const NEW_PASSWORD = 'battery horse correct'

const emptyStores = (): Stores => ({ local: memoryStore(), session: memoryStore() })

const created = async () => {
  const stores = emptyStores()
  const vault = createVault(stores, commonPasswords, CHEAP_KDF)
  await vault.create(PASSWORD, secrets)
  return { stores, vault }
}

/** Renames the first account, as an example of a change. */
const named =
  (name: string) =>
  (now: Secrets): Secrets =>
    withName(now, ADDRESS, name)
const nameIn = (now: Secrets) => accountsOf(now)[0]?.name

const fileIn = async ({ local }: Stores) => (await local.get('vault')) as VaultFile
const allIn = async ({ local, session }: Stores) =>
  JSON.stringify([
    await Promise.all(['vault', 'vault-previous', 'vault-damaged'].map(local.get)),
    await session.get('vault-key'),
  ])

test('a vault is empty, then unlocked, then locked, then unlocked again', async () => {
  const stores = emptyStores()
  const vault = createVault(stores, commonPasswords, CHEAP_KDF)
  expect(await vault.phase()).toBe('empty')
  await vault.create(PASSWORD, secrets)
  expect(await vault.phase()).toBe('unlocked')
  await vault.lock()
  expect(await vault.phase()).toBe('locked')
  await expect(vault.read()).rejects.toMatchObject({ code: 4100 })
  expect(await vault.peek()).toBeNull()
  await vault.unlock(PASSWORD)
  expect([await vault.read(), await vault.peek()]).toEqual([secrets, secrets])
})

test('a wrong password changes nothing', async () => {
  const { stores, vault } = await created()
  const wrong = expect.objectContaining({ reason: 'wrongPassword' })
  const before = await allIn(stores)
  await expect(vault.confirm('wrong')).rejects.toEqual(wrong)
  await expect(vault.changePassword('wrong', NEW_PASSWORD)).rejects.toEqual(wrong)
  expect(await allIn(stores)).toBe(before)
  await vault.lock()
  await expect(vault.unlock('wrong')).rejects.toEqual(wrong)
  expect(await vault.phase()).toBe('locked')
  await vault.unlock(PASSWORD)
  expect(await allIn(stores)).toBe(before)
})

test('an unlocked vault survives a restart of the worker, and so does a locked one', async () => {
  const { stores, vault } = await created()
  expect(await createVault(stores, commonPasswords, CHEAP_KDF).read()).toEqual(secrets)
  await vault.lock()
  expect(await createVault(stores, commonPasswords, CHEAP_KDF).phase()).toBe('locked')
})

test('a locked vault is not read, changed or revealed, with any password', async () => {
  const { vault } = await created()
  await vault.lock()
  for (const attempt of [
    vault.read(),
    vault.update(named('x')),
    vault.confirm(PASSWORD),
    vault.changePassword(PASSWORD, NEW_PASSWORD),
  ])
    await expect(attempt).rejects.toMatchObject({ code: 4100, message: 'The wallet is locked' })
})

test('a lock during an unlock or a password confirmation takes precedence', async () => {
  const { vault } = await created()
  const confirmed = expect(vault.confirm(PASSWORD)).rejects.toMatchObject({ message: 'The wallet is locked' })
  await vault.lock()
  await confirmed
  await Promise.all([vault.unlock(PASSWORD), vault.lock()])
  expect(await vault.phase()).toBe('locked')
})

test('no word in the phrase and no part of the password is stored in plain text', async () => {
  const { stores, vault } = await created()
  await vault.update(named('x'))
  await vault.changePassword(PASSWORD, NEW_PASSWORD)
  const stored = await allIn(stores)
  expect(stored).not.toMatch(/\b(?:junk|test)\b/)
  for (const secret of [PASSWORD, NEW_PASSWORD]) expect(stored).not.toContain(secret)
})

test('confirming the password returns the secrets', async () => {
  const { vault } = await created()
  expect(await vault.confirm(PASSWORD)).toEqual(secrets)
})

test('a new vault never overwrites an existing one or its copy', async () => {
  const { stores, vault } = await created()
  await expect(vault.create('another password', secrets)).rejects.toMatchObject({ code: -32600 })
  expect(await vault.read()).toEqual(secrets)
  await stores.local.remove('vault')
  await expect(vault.create('another password', secrets)).rejects.toMatchObject({ code: -32600 })
})

test('a short password is rejected', async () => {
  const vault = createVault(emptyStores(), commonPasswords, CHEAP_KDF)
  await expect(vault.create('1234567', secrets)).rejects.toMatchObject({ code: -32602 })
  expect(await vault.phase()).toBe('empty')
  const { vault: other } = await created()
  await expect(other.changePassword(PASSWORD, '1234567')).rejects.toMatchObject({ code: -32602 })
  expect(await other.confirm(PASSWORD)).toEqual(secrets)
})

test('concurrent updates are all applied, and the previous file is kept', async () => {
  const { stores, vault } = await created()
  const add = (letter: string) => (now: Secrets) => named(nameIn(now) + letter)(now)
  await Promise.all(['b', 'c', 'd'].map(letter => vault.update(add(letter))))
  expect(nameIn(await vault.read())).toBe('Account 1bcd')
  await stores.local.set('vault', await stores.local.get('vault-previous'))
  expect(nameIn(await vault.read())).toBe('Account 1bc')
})

test('a change that throws writes nothing', async () => {
  const { stores, vault } = await created()
  const before = await allIn(stores)
  const failed = vault.update(() => {
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect(await allIn(stores)).toBe(before)
})

test('a change whose write fails is not made', async () => {
  for (const writes of [0, 1]) {
    const { stores } = await created()
    const failing = createVault({ ...stores, local: failingAfter(stores.local, writes) }, commonPasswords, CHEAP_KDF)
    await expect(failing.update(named('changed'))).rejects.toThrow('killed')
    expect(nameIn(await failing.read())).toBe('Account 1')
  }
})

test('if a password change fails at any write, the vault opens with one of the two passwords', async () => {
  const acts = [
    (vault: ReturnType<typeof createVault>) => vault.update(named('changed')),
    (vault: ReturnType<typeof createVault>) => vault.changePassword(PASSWORD, NEW_PASSWORD),
  ]
  for (const act of acts)
    for (let writes = 0; writes < 4; writes++) {
      const { stores } = await created()
      const dying = createVault({ ...stores, local: failingAfter(stores.local, writes) }, commonPasswords, CHEAP_KDF)
      await act(dying).catch(() => undefined)

      const next = createVault(stores, commonPasswords, CHEAP_KDF)
      await next.lock()
      await next.unlock(PASSWORD).catch(() => next.unlock(NEW_PASSWORD))
      expect(['Account 1', 'changed']).toContain(nameIn(await next.read()))
      const copy = { ...stores, local: memoryStore() }
      await copy.local.set('vault', await stores.local.get('vault-previous'))
      const fromCopy = createVault(copy, commonPasswords, CHEAP_KDF)
      await fromCopy.unlock(PASSWORD).catch(() => fromCopy.unlock(NEW_PASSWORD))
    }
})

/** Returns a store that fails after this many writes, like the store of a killed browser. */
const failingAfter = (store: Store, writes: number): Store => {
  let left = writes
  return {
    ...store,
    set: async (name, value) => {
      if (left-- <= 0) throw new Error('killed')
      await store.set(name, value)
    },
  }
}

test('after a password change, the old password does not even open the copy', async () => {
  const { stores, vault } = await created()
  await vault.update(named('Mine'))
  await vault.changePassword(PASSWORD, NEW_PASSWORD)
  expect(nameIn(await vault.read())).toBe('Mine')
  await vault.lock()
  await expect(vault.unlock(PASSWORD)).rejects.toMatchObject({ reason: 'wrongPassword' })
  await vault.unlock(NEW_PASSWORD)
  expect(await stores.local.get('vault-previous')).toEqual(await stores.local.get('vault'))
})

/** The minimum accepted cost, and a higher one. */
const OLD_KDF = { memory: 19_456, passes: 2, lanes: 1 }
const TODAYS_KDF = { memory: 19_456, passes: 3, lanes: 1 }

test('an unlock raises a lower cost and keeps a higher one', async () => {
  const stores = emptyStores()
  await createVault(stores, commonPasswords, OLD_KDF).create(PASSWORD, secrets)
  const old = await fileIn(stores)
  const vault = createVault(stores, commonPasswords, TODAYS_KDF)
  expect(await vault.read()).toEqual(secrets)
  await vault.lock()
  await vault.unlock(PASSWORD)
  const raised = await fileIn(stores)
  expect(raised.kdf).toMatchObject(TODAYS_KDF)
  expect(raised.kdf.salt).not.toBe(old.kdf.salt)
  expect(await stores.local.get('vault-previous')).toEqual(raised)
  expect(await vault.read()).toEqual(secrets)
  await vault.lock()

  const again = createVault(stores, commonPasswords, OLD_KDF)
  await again.unlock(PASSWORD)
  expect(await fileIn(stores)).toEqual(raised)
  expect(await again.read()).toEqual(secrets)
})

/** Creates a vault file with these contents. */
const sealed = async (contents: unknown) => {
  const stores = emptyStores()
  const kdf = newKdf(CHEAP_KDF)
  await stores.local.set('vault', sealVault(contents, await deriveKey(PASSWORD, kdf), kdf))
  return { stores, vault: createVault(stores, commonPasswords, CHEAP_KDF) }
}

test('secrets of an older version are migrated, and the old file is kept', async () => {
  const { stores, vault } = await sealed(SECRETS_V1)
  const old = await fileIn(stores)
  await vault.unlock(PASSWORD)
  expect(await vault.read()).toMatchObject({ version: 2, accounts: [{ name: 'Account 1' }, { name: 'Savings' }] })
  expect(await fileIn(stores)).not.toEqual(old)
  expect(await stores.local.get('vault-previous')).toEqual(old)
})

test('secrets of a newer version are reported and left unchanged', async () => {
  const { stores, vault } = await sealed({ version: 3, unknown: true })
  const before = await allIn(stores)
  await expect(vault.unlock(PASSWORD)).rejects.toMatchObject({ reason: 'vaultNewer' })
  expect(await allIn(stores)).toBe(before)
})

const damages = {
  vaultCorrupted: (file: VaultFile) => ({
    ...file,
    nonce: file.nonce.replace(/^./, digit => (digit === '0' ? '1' : '0')),
  }),
  vaultTruncated: (file: VaultFile) => ({ ...file, sealed: file.sealed.slice(0, -20) }),
}

for (const [reason, damage] of Object.entries(damages))
  test(`damage is reported as ${reason}, left unchanged, and repaired from the copy with the password`, async () => {
    const { stores, vault } = await created()
    await vault.update(named('Mine'))
    await vault.lock()
    const damaged = damage(await fileIn(stores))
    await stores.local.set('vault', damaged)
    const before = await allIn(stores)
    await expect(vault.unlock(PASSWORD)).rejects.toMatchObject({ code: 4100, reason })
    await expect(vault.create(PASSWORD, secrets)).rejects.toMatchObject({ code: -32600 })
    await expect(vault.restore('wrong')).rejects.toMatchObject({ reason: 'wrongPassword' })
    expect(await allIn(stores)).toBe(before)

    await vault.restore(PASSWORD)
    expect(await vault.phase()).toBe('unlocked')
    expect(await vault.read()).toEqual(secrets)
    expect(await stores.local.get('vault-damaged')).toEqual(damaged)
  })

test('a missing vault is restored from its copy', async () => {
  const { stores, vault } = await created()
  await vault.lock()
  await stores.local.remove('vault')
  expect(await vault.phase()).toBe('locked')
  await expect(vault.unlock(PASSWORD)).rejects.toMatchObject({ reason: 'vaultCorrupted' })
  await vault.restore(PASSWORD)
  expect(await vault.read()).toEqual(secrets)
})

test('an intact vault is not replaced by its copy, and a damaged copy is not restored', async () => {
  const { stores, vault } = await created()
  await expect(vault.restore(PASSWORD)).rejects.toMatchObject({ code: -32600 })
  const cut = damages.vaultTruncated(await fileIn(stores))
  await stores.local.set('vault', cut)
  await stores.local.set('vault-previous', cut)
  await expect(vault.restore(PASSWORD)).rejects.toMatchObject({ reason: 'vaultTruncated' })
  expect(await fileIn(stores)).toEqual(cut)
})

const checksummed = ({ version: _, checksum: __, ...parts }: VaultFile): VaultFile => {
  const { kdf, nonce, length, sealed } = parts
  const checksum = bytesToHex(sha256(utf8ToBytes(JSON.stringify([1, kdf, nonce, length, sealed]))))
  return { version: 1, ...parts, checksum }
}

/** Hex strings with odd, zero, too small or too large lengths. */
const lengths = fc.constantFrom(0, 1, 2, 15, 30, 31, 33, 34, 46, 47, 49, 50, 96).map(digits => 'a'.repeat(digits))

test('a field of any wrong length, with a matching checksum, is reported as damage', async () => {
  const { stores, vault } = await created()
  await vault.lock()
  const whole = await fileIn(stores)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('salt', 'nonce', 'sealed', 'checksum'), lengths, async (field, digits) => {
      fc.pre(field !== 'sealed' || digits.length < 32 || digits.length % 2 === 1)
      const fields = { ...whole, ...(field === 'salt' ? { kdf: { ...whole.kdf, salt: digits } } : { [field]: digits }) }
      const file = field === 'checksum' ? fields : checksummed({ ...fields, length: fields.sealed.length })
      await stores.local.set('vault', file)
      const error: unknown = await vault.unlock(PASSWORD).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(VaultError)
      expect(error).toMatchObject({ code: 4100, reason: 'vaultCorrupted' })
      expect(await fileIn(stores)).toEqual(file)
    }),
  )
})

test('a vault file with any byte replaced fails with a documented error', async () => {
  const { stores, vault } = await created()
  await vault.lock()
  const text = JSON.stringify(await fileIn(stores))
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.string({ maxLength: 2 }), async (at, put) => {
      const altered = `${text.slice(0, at)}${put}${text.slice(at + 1)}`
      let file: unknown = altered
      try {
        file = JSON.parse(altered)
      } catch {
        // A string in place of an object counts as damage too.
      }
      fc.pre(JSON.stringify(file) !== text)
      await stores.local.set('vault', file)
      const error: unknown = await vault.unlock(PASSWORD).catch((thrown: unknown) => thrown)
      expect(error === undefined || error instanceof VaultError).toBe(true)
    }),
    { numRuns: 500 },
  )
})
