import { hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore, type Store, type Stores } from '../storage/store.ts'
import { ADDRESS, CHEAP_KDF, commonPasswords, DERIVATION, PASSWORD } from '../wallet.fixture.ts'
import { accountsOf } from './keyring.ts'
import { secretsOf, withName } from './keyring-changes.ts'
import { withoutPasskey, withPasskey } from './passkey-changes.ts'
import { keyFrom, passkeyOf } from './passkey-wraps.ts'
import { createVault, type Vault } from './vault.ts'
import { type KdfCost, openVault, parseVaultFile, type VaultFile } from './vault-file.ts'

const secrets = await secretsOf(DERIVATION)
const NEW_PASSWORD = 'battery horse correct'

type Used = { id: string; output: Uint8Array }

/** Returns a passkey of an authenticator. The vault wipes no output that a test passes. */
const passkey = (id: string): Used => ({ id, output: randomBytes(32) })
const phone = passkey('phone')
const ring = passkey('ring')

const vaultIn = (stores: Stores, cost: KdfCost = CHEAP_KDF) => createVault(stores, commonPasswords, cost)
const add = (vault: Vault, used: Used) => vault.update(now => withPasskey(now, passkeyOf(used, used.id, 0)))
const remove = (vault: Vault, { id }: Used) => vault.rekey(PASSWORD, now => withoutPasskey(now, id))

/** Creates an unlocked vault that has the passkeys of the phone and the ring. */
const created = async (cost: KdfCost = CHEAP_KDF) => {
  const stores = { local: memoryStore(), session: memoryStore() }
  const vault = vaultIn(stores, cost)
  await vault.create(PASSWORD, secrets)
  await add(vault, phone)
  await add(vault, ring)
  return { stores, vault }
}

const fileIn = async ({ local }: Stores) => (await local.get('vault')) as VaultFile
const opensWith = async (vault: Vault, used: Used) => {
  await vault.lock()
  await vault.unlockWithPasskey(used)
  return vault.read()
}
const refusal = async (vault: Vault, used: Used): Promise<string> => {
  await vault.lock()
  const reason = await vault.unlockWithPasskey(used).then(
    () => 'opened',
    error => error.reason,
  )
  if (reason !== 'opened') expect(await vault.phase()).toBe('locked')
  return reason
}
const opensWithPassword = async (vault: Vault, password = PASSWORD) => {
  await vault.lock()
  await vault.unlock(password)
  return accountsOf(await vault.read())[0]?.address
}

test('each passkey opens the vault, and so does the password', async () => {
  const { stores, vault } = await created()
  await vault.lock()
  expect(await vault.passkeys()).toEqual(['phone', 'ring'])
  for (const used of [phone, ring]) expect(await opensWith(vault, used)).toEqual(await vault.read())
  expect(await vaultIn(stores).read()).toMatchObject({ passkeys: [{ name: 'phone' }, { name: 'ring' }] })
  expect(await opensWithPassword(vault)).toBe(ADDRESS)
})

test('a vault that a passkey opened can be changed, and the change stays', async () => {
  const { vault } = await created()
  await opensWith(vault, phone)
  await vault.update(now => withName(now, ADDRESS, 'Mine'))
  expect(accountsOf(await opensWith(vault, ring))[0]?.name).toBe('Mine')
})

/** The minimum accepted cost, and a higher one. */
const OLD_KDF = { memory: 19_456, passes: 2, lanes: 1 }
const TODAYS_KDF = { memory: 19_456, passes: 3, lanes: 1 }

test('passkeys stay after a password change', async () => {
  const { vault } = await created()
  await vault.changePassword(PASSWORD, NEW_PASSWORD)
  expect([await refusal(vault, phone), await refusal(vault, ring)]).toEqual(['opened', 'opened'])
  expect(await opensWithPassword(vault, NEW_PASSWORD)).toBe(ADDRESS)
})

test('passkeys stay after an unlock that raised the cost', async () => {
  const { stores } = await created(OLD_KDF)
  const raised = vaultIn(stores, TODAYS_KDF)
  await raised.lock()
  await raised.unlock(PASSWORD)
  expect((await fileIn(stores)).kdf).toMatchObject(TODAYS_KDF)
  expect([await refusal(raised, phone), await refusal(raised, ring)]).toEqual(['opened', 'opened'])
})

test('a removed passkey opens neither the file nor its copy, also if its wrap is put back', async () => {
  const { stores, vault } = await created()
  const before = await fileIn(stores)
  await remove(vault, phone)
  expect([await refusal(vault, phone), await refusal(vault, ring)]).toEqual(['passkeyUnknown', 'opened'])
  const after = await fileIn(stores)
  expect(await stores.local.get('vault-previous')).toEqual(after)
  expect(after.kdf.salt).not.toBe(before.kdf.salt)

  const key = keyFrom(before.passkeys ?? [], phone, before.kdf.salt)
  expect(() => openVault(after, key)).toThrow(expect.objectContaining({ reason: 'wrongPassword' }))
  await stores.local.set('vault', { ...after, passkeys: [...(before.passkeys ?? []), ...(after.passkeys ?? [])] })
  expect(await refusal(vault, phone)).toBe('passkeyDamaged')
  expect(await opensWithPassword(vault)).toBe(ADDRESS)
  expect(await fileIn(stores)).toMatchObject({ passkeys: after.passkeys })
})

test('removing a passkey needs the password, and a passkey of the wallet', async () => {
  const { stores, vault } = await created()
  const before = await fileIn(stores)
  await expect(vault.rekey('wrong', now => withoutPasskey(now, 'phone'))).rejects.toMatchObject({
    reason: 'wrongPassword',
  })
  await expect(remove(vault, passkey('other'))).rejects.toMatchObject({ reason: 'passkeyGone' })
  expect(await fileIn(stores)).toEqual(before)
  await vault.lock()
  await expect(remove(vault, phone)).rejects.toMatchObject({ message: 'The wallet is locked' })
})

test('a passkey of another wallet is unknown, and its wrap does not open this vault', async () => {
  const { stores, vault } = await created()
  const foreign = passkey('foreign')
  expect(await refusal(vault, foreign)).toBe('passkeyUnknown')
  const other = await created()
  await add(other.vault, foreign)
  await stores.local.set('vault', { ...(await fileIn(stores)), passkeys: (await fileIn(other.stores)).passkeys })
  expect(await refusal(vault, foreign)).toBe('passkeyDamaged')
  expect(await refusal(vault, phone)).toBe('passkeyDamaged')
  expect(await opensWithPassword(vault)).toBe(ADDRESS)
})

test('a passkey whose key changed does not open the vault', async () => {
  const { vault } = await created()
  expect(await refusal(vault, { id: 'phone', output: randomBytes(32) })).toBe('passkeyDamaged')
  expect(await refusal(vault, { id: 'phone', output: ring.output })).toBe('passkeyDamaged')
})

test('whatever is stored in place of the wraps, the password opens the vault and repairs the wraps', async () => {
  const { stores, vault } = await created()
  const whole = await fileIn(stores)
  const wraps = whole.passkeys ?? []
  const oddities = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(undefined, [], [...wraps].reverse(), [...wraps, ...wraps], Array(2_000).fill(wraps[0])),
    fc
      .tuple(fc.nat(1), fc.constantFrom('version', 'credentialId', 'ephemeralKey', 'sealed'), fc.jsonValue())
      .map(([at, member, value]) => wraps.toSpliced(at, 1, { ...wraps[at], [member]: value } as never)),
  )
  await fc.assert(
    fc.asyncProperty(oddities, async passkeys => {
      const changed = { ...whole, passkeys }
      await stores.local.set('vault', JSON.parse(JSON.stringify(changed)))
      const shown = await vault.passkeys()
      expect(shown.length).toBeLessThanOrEqual(10)
      expect(['opened', 'passkeyUnknown', 'passkeyDamaged']).toContain(await refusal(vault, phone))
      await stores.local.set('vault', JSON.parse(JSON.stringify(changed)))
      expect(await opensWithPassword(vault)).toBe(ADDRESS)
      expect((await fileIn(stores)).passkeys).toEqual(wraps)
    }),
    { numRuns: 60 },
  )
})

test('a wrap with any digit changed does not open, and the other passkey repairs it', async () => {
  const { stores, vault } = await created()
  const whole = await fileIn(stores)
  const [ofPhone, ofRing] = whole.passkeys ?? []
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('ephemeralKey' as const, 'sealed' as const), fc.nat(63), async (member, at) => {
      const digits = ofPhone?.[member] ?? ''
      const changed = (Number.parseInt(digits[at] ?? '', 16) ^ 1).toString(16)
      const altered = { ...ofPhone, [member]: digits.slice(0, at) + changed + digits.slice(at + 1) }
      await stores.local.set('vault', { ...whole, passkeys: [altered, ofRing] })
      expect(await refusal(vault, phone)).toBe('passkeyDamaged')
      expect(await refusal(vault, ring)).toBe('opened')
      expect(await refusal(vault, phone)).toBe('opened')
    }),
    { numRuns: 40 },
  )
})

/** Returns a store that fails after this many writes, like the store of a killed browser or a full disk. */
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

test('a full disk does not keep a vault with changed wraps from opening', async () => {
  const { stores, vault } = await created()
  await vault.lock()
  const { passkeys: _, ...without } = await fileIn(stores)
  await stores.local.set('vault', without)
  const full = vaultIn({ ...stores, local: failingAfter(stores.local, 0) })
  await full.unlock(PASSWORD)
  expect(accountsOf(await full.read())[0]?.address).toBe(ADDRESS)
})

const acts: Record<string, (vault: Vault) => Promise<unknown>> = {
  'adding a passkey': vault => add(vault, passkey('new')),
  'removing a passkey': vault => remove(vault, ring),
  'a password change': vault => vault.changePassword(PASSWORD, NEW_PASSWORD),
}

test.each(Object.keys(acts))(
  'if %s fails at any write, a password and the other passkey open the vault',
  async name => {
    for (let writes = 0; writes < 4; writes++) {
      const { stores } = await created()
      await acts[name]?.(vaultIn({ ...stores, local: failingAfter(stores.local, writes) })).catch(() => undefined)
      const next = vaultIn(stores)
      expect(await refusal(next, phone)).toBe('opened')
      expect(await opensWithPassword(next).catch(() => opensWithPassword(next, NEW_PASSWORD))).toBe(ADDRESS)
    }
  },
)

test('a restored copy opens with the passkeys', async () => {
  const { stores, vault } = await created()
  await vault.update(now => withName(now, ADDRESS, 'Mine'))
  await vault.lock()
  await stores.local.set('vault', { ...(await fileIn(stores)), nonce: '00'.repeat(24) })
  expect(await refusal(vault, phone)).toBe('vaultCorrupted')
  expect(await vault.passkeys()).toEqual([])
  await vault.restore(PASSWORD)
  expect(await refusal(vault, phone)).toBe('opened')
})

test('a wrap that opens beside a ciphertext that does not is reported as a damaged vault', async () => {
  const { stores, vault } = await created()
  const other = await created()
  const { passkeys, kdf } = await fileIn(stores)
  const { sealed, nonce, length } = await fileIn(other.stores)
  const { checksum } = parseVaultFile(await fileIn(other.stores), CHEAP_KDF)
  await stores.local.set('vault', { version: 1, kdf, nonce, length, sealed, checksum, passkeys })
  expect(await refusal(vault, phone)).toBe('vaultCorrupted')
})

test('no output of a passkey and no key is stored', async () => {
  const { stores, vault } = await created()
  const key = String(await stores.session.get('vault-key'))
  await vault.lock()
  const stored = JSON.stringify([await fileIn(stores), await stores.local.get('vault-previous')])
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  for (const secret of [key, hex(phone.output), hex(ring.output)]) expect(stored).not.toContain(secret)
  expect(hexToBytes(key)).toHaveLength(32)
})
