import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeEach, expect, test, vi } from 'vitest'
import { REGISTRY, SEALED_FILES } from '../storage/registry.ts'
import { createCell, memoryStore, type Store, type Stores } from '../storage/store.ts'
import { CHEAP_KDF, commonPasswords, DERIVATION, PASSWORD } from '../wallet.fixture.ts'
import { secretsOf } from './keyring-changes.ts'
import { createSealedCell } from './sealed-cell.ts'
import { newSealingKey, REVISIONS, seal } from './sealing.ts'
import { createTrustedStore, withSettingsKey } from './trusted-store.ts'
import { createVault } from './vault.ts'

// Silences the log: the wallet logs revisions that a stopped worker could not write.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

/** Records that only an unlocked wallet can read. */
const CELLS = ['contacts', 'found-tokens', 'incoming-transfers', 'last-holdings', 'sessions', 'token-looks'] as const
const RECORDS = [...CELLS, ...SEALED_FILES, 'settings'] as const
/** Stored names that are not sealed with one of the two keys, or not as records of their own. */
const OTHERS = [REVISIONS, 'unverified', 'vault-previous', 'vault-damaged', 'vault', 'format']

test('every record in the registry is tested here', () => {
  expect([...RECORDS, ...OTHERS].toSorted()).toEqual([...REGISTRY.local].toSorted())
})

const isCell = (name: string) => (CELLS as readonly string[]).includes(name)

const worker = (stores: Stores) => {
  const vault = createVault(stores, commonPasswords, CHEAP_KDF)
  const trusted = createTrustedStore(stores, vault)
  const cellOf = (name: string) =>
    name === 'settings'
      ? createCell<unknown>(trusted, 'networks', 'initial')
      : isCell(name)
        ? createSealedCell<unknown>({ store: stores.local, vault, trusted, name, initial: () => 'initial' })
        : createCell<unknown>(trusted, name, 'initial')
  return {
    vault,
    read: (name: string) => cellOf(name).read(),
    write: (name: string, value: string) => cellOf(name).update(() => value),
    told: async () => ((await trusted.get('reset')) ?? []) as readonly string[],
  }
}

/** Creates a disk with a wallet in which every record was written twice, and keeps the first version of each record. */
const prepare = async () => {
  const stores: Stores = { local: memoryStore(), session: memoryStore() }
  const { vault, write, read } = worker(stores)
  await vault.create(PASSWORD, withSettingsKey(await secretsOf(DERIVATION)))
  for (const name of RECORDS) await write(name, 'old')
  const old = new Map(
    await Promise.all([...RECORDS, REVISIONS].map(async name => [name, await stores.local.get(name)] as const)),
  )
  for (const name of RECORDS) await write(name, 'new')
  for (const name of RECORDS) expect(await read(name)).toBe('new')
  return { stores, old }
}

const put = (local: Store, name: string, value: unknown) =>
  value === undefined ? local.remove(name) : local.set(name, value)

const copyOf = async (stores: Stores): Promise<Stores> => {
  const copy: Stores = { local: memoryStore(), session: memoryStore() }
  for (const area of ['local', 'session'] as const)
    for (const name of REGISTRY[area]) await put(copy[area], name, await stores[area].get(name))
  return copy
}

const prepared = prepare()
const start = async () => {
  const { stores, old } = await prepared
  return { stores: await copyOf(stores), old }
}

type Sealed = { sealed: string; revision: number }
type Attack = (local: Store, name: string, old: unknown) => Promise<void>
const ATTACKS: Record<string, Attack> = {
  'written back': (local, name, old) => local.set(name, old),
  'written back with a higher revision': (local, name, old) => local.set(name, { ...(old as Sealed), revision: 99 }),
  deleted: (local, name) => local.remove(name),
  swapped: async (local, name) => local.set(name, await local.get(name === 'assets' ? 'bundles' : 'assets')),
  truncated: async (local, name) => {
    const stored = (await local.get(name)) as Sealed
    await local.set(name, { ...stored, sealed: stored.sealed.slice(0, -8) })
  },
  foreign: (local, name) => local.set(name, seal(newSealingKey(), name, 'foreign', 99)),
  'in the form of an earlier version': async (local, name) => {
    const { revision, ...stored } = (await local.get(name)) as Sealed
    await local.set(name, { ...stored, version: 2 })
  },
}

/** Starts the next worker, in the same session or after a browser restart. */
const WORKERS: Record<string, (stores: Stores) => Stores> = {
  'of the same session': stores => stores,
  'after a restart': ({ local }) => ({ local, session: memoryStore() }),
}

const cases = Object.keys(WORKERS).flatMap(when => Object.keys(ATTACKS).map(how => [how, when] as const))

/** Starts a worker and unlocks its wallet. */
const opened = async (stores: Stores) => {
  const next = worker(stores)
  if ((await next.vault.phase()) === 'locked') await next.vault.unlock(PASSWORD)
  return next
}

const nextOf = (stores: Stores, when: string) => opened(WORKERS[when]?.(stores) ?? stores)

test.each(cases)('a record that is %s is refused and reported by a worker %s', async (how, when) => {
  for (const name of RECORDS) {
    const { stores, old } = await start()
    await ATTACKS[how]?.(stores.local, name, old.get(name))
    const next = await nextOf(stores, when)
    expect([name, await next.read(name)]).toEqual([name, 'initial'])
    expect([name, await next.told()]).toEqual([name, [name]])
    for (const other of RECORDS) if (other !== name) expect([other, await next.read(other)]).toEqual([other, 'new'])
    // The user is told once, and the refused value stays refused.
    const later = await nextOf(stores, when)
    expect([await later.read(name), await later.told()]).toEqual(['initial', [name]])
    await put(stores.local, name, old.get(name))
    expect(await (await nextOf(stores, when)).read(name)).toBe('initial')
    const last = await nextOf(stores, when)
    await last.write(name, 'third')
    expect(await (await nextOf(stores, when)).read(name)).toBe('third')
  }
})

test.each(Object.keys(WORKERS))('untouched records are read without a notice by a worker %s', async when => {
  const { stores } = await start()
  for (let round = 0; round < 2; round++) {
    const next = await nextOf(stores, when)
    for (const name of RECORDS) expect(await next.read(name)).toBe('new')
    expect(await next.told()).toEqual([])
  }
})

test.each([...RECORDS])(
  '%s: refused and reported if written back together with the revisions in the same session',
  async name => {
    const { stores, old } = await start()
    await stores.local.set(REVISIONS, old.get(REVISIONS))
    await stores.local.set(name, old.get(name))
    const next = worker(stores)
    expect([await next.read(name), await next.told()]).toEqual(['initial', [name]])
  },
)

test('if everything is written back in the same session, everything is refused and reported', async () => {
  const { stores, old } = await start()
  for (const [name, value] of old) await put(stores.local, name, value)
  const next = worker(stores)
  for (const name of RECORDS) expect([name, await next.read(name)]).toEqual([name, 'initial'])
  expect([...(await next.told())].toSorted()).toEqual([...RECORDS].toSorted())
})

const NO_REVISIONS: Record<string, (local: Store, old: unknown) => Promise<void>> = {
  'written back': (local, old) => local.set(REVISIONS, old),
  deleted: local => local.remove(REVISIONS),
  foreign: local => local.set(REVISIONS, seal(newSealingKey(), REVISIONS, {}, 1)),
  'not sealed': local => local.set(REVISIONS, {}),
}

test.each(Object.keys(NO_REVISIONS))('revisions that were %s are restored from the session', async how => {
  const { stores, old } = await start()
  await NO_REVISIONS[how]?.(stores.local, old.get(REVISIONS))
  const next = worker(stores)
  expect([await next.read('settings'), await next.told()]).toEqual(['new', []])
  await stores.local.set('contacts', old.get('contacts'))
  const later = await nextOf(stores, 'after a restart')
  expect([await later.read('contacts'), await later.told()]).toEqual(['initial', ['contacts']])
})

test.each(['deleted', 'foreign', 'not sealed'])('revisions that were %s before a restart are reported', async how => {
  const { stores, old } = await start()
  await NO_REVISIONS[how]?.(stores.local, old.get(REVISIONS))
  const next = await nextOf(stores, 'after a restart')
  for (const name of RECORDS) expect([name, await next.read(name)]).toEqual([name, 'new'])
  expect(await next.told()).toEqual([REVISIONS])
  await stores.local.set('contacts', old.get('contacts'))
  expect(await (await nextOf(stores, 'after a restart')).read('contacts')).toBe('initial')
})

test('revisions and settings that were both deleted before a restart are reported', async () => {
  const { stores } = await start()
  for (const name of [REVISIONS, 'settings']) await stores.local.remove(name)
  const next = await nextOf(stores, 'after a restart')
  expect([await next.read('settings'), await next.told()]).toEqual(['initial', ['settings', REVISIONS]])
})

/** Seals a value as an earlier version did, without a revision: only the name is associated data. */
const sealedBefore = (key: string, name: string, value: unknown) => {
  const nonce = randomBytes(24)
  const cipher = xchacha20poly1305(hexToBytes(key), nonce, utf8ToBytes(`heliograph ${name}`))
  const sealed = Buffer.from(cipher.encrypt(utf8ToBytes(JSON.stringify(value)))).toString('base64')
  return { version: 2, nonce: bytesToHex(nonce), sealed }
}

/** Returns stores in which an earlier version has written every record, and those records as it wrote them. */
const startEarlier = async () => {
  const stores: Stores = { local: memoryStore(), session: memoryStore() }
  const vault = createVault(stores, commonPasswords, CHEAP_KDF)
  const [settingsKey, stateKey] = [newSealingKey(), newSealingKey()]
  await vault.create(PASSWORD, { ...(await secretsOf(DERIVATION)), stateKey, settings: { key: settingsKey } })
  for (const name of RECORDS) {
    const key = isCell(name) ? stateKey : settingsKey
    await stores.local.set(name, sealedBefore(key, name, name === 'settings' ? { networks: 'earlier' } : 'earlier'))
  }
  const earlier = new Map(await Promise.all(RECORDS.map(async name => [name, await stores.local.get(name)] as const)))
  return { stores, earlier }
}

test('records of an earlier version are accepted once without a notice, and refused after that', async () => {
  const { stores, earlier } = await startEarlier()
  const next = await nextOf(stores, 'after a restart')
  for (const name of RECORDS) expect([name, await next.read(name)]).toEqual([name, 'earlier'])
  expect(await next.told()).toEqual([])
  for (const [name, value] of earlier) await stores.local.set(name, value)
  const later = await nextOf(stores, 'after a restart')
  for (const name of RECORDS) expect([name, await later.read(name)]).toEqual([name, 'initial'])
  expect([...(await later.told())].toSorted()).toEqual([...RECORDS].toSorted())
})

/** Returns stores in which every write after the last step fails, as if the worker had been stopped there. */
const stoppingAfter = ({ local, session }: Stores, last: number) => {
  let steps = 0
  const step = async (work: () => Promise<void>) => {
    if (++steps > last) throw new Error('stopped')
    await work()
  }
  const stopping = (store: Store): Store => ({
    get: store.get,
    set: (name, value) => step(() => store.set(name, value)),
    remove: name => step(() => store.remove(name)),
  })
  return { stores: { local: stopping(local), session: stopping(session) }, isStopped: () => steps > last }
}

/**
 * Runs `work` on copies of the stores, stopping it after one more write each time until it completes. Returns the
 * number of writes.
 */
const stoppedAtEachWrite = async (
  stores: Stores,
  work: (stores: Stores) => Promise<void>,
  check: (stores: Stores) => Promise<void>,
) => {
  for (let last = 0; ; last++) {
    const kept = await copyOf(stores)
    const { stores: stopping, isStopped } = stoppingAfter(kept, last)
    await work(stopping).catch(() => undefined)
    for (const when of Object.keys(WORKERS)) await check(WORKERS[when]?.(await copyOf(kept)) ?? kept)
    if (!isStopped()) return last
  }
}

test('if the worker stops at any write of a change, the old or the new value remains, without a notice', async () => {
  const { stores } = await start()
  const ways = await Promise.all(
    RECORDS.map(name =>
      stoppedAtEachWrite(
        stores,
        async stopping => void (await worker(stopping).write(name, 'newer')),
        async kept => {
          const next = await opened(kept)
          expect(['new', 'newer']).toContain(await next.read(name))
          expect(await next.told()).toEqual([])
        },
      ),
    ),
  )
  expect(Math.min(...ways)).toBe(3)
})

test('if the worker stops at any write of the first unlock after an update, no notice appears', async () => {
  const { stores } = await startEarlier()
  const writes = await stoppedAtEachWrite(
    stores,
    async stopping => {
      const next = worker(stopping)
      for (const name of RECORDS) await next.read(name)
    },
    async kept => {
      const next = await opened(kept)
      for (const name of RECORDS) expect(await next.read(name)).toBe('earlier')
      expect(await next.told()).toEqual([])
    },
  )
  expect(writes).toBeGreaterThan(3 * RECORDS.length)
})

test.each([...RECORDS])(
  '%s: if the worker stops at any write of a refusal, the record is still reported in the end',
  async name => {
    const { stores, old } = await start()
    await put(stores.local, name, old.get(name))
    const writes = await stoppedAtEachWrite(
      stores,
      async stopping => void (await worker(stopping).read(name)),
      async kept => {
        const next = await opened(kept)
        expect([await next.read(name), await next.told()]).toEqual(['initial', [name]])
      },
    )
    expect(writes).toBeGreaterThan(3)
  },
)

/** Returns stores whose disk is full. */
const full = ({ local, session }: Stores): Stores => ({
  session,
  local: { ...local, set: async () => Promise.reject(new Error('QuotaExceededError')) },
})

test.each(RECORDS.filter(name => name !== 'settings'))(
  '%s: refused and reported if written back on a full disk, and stays in place',
  async name => {
    for (const when of Object.keys(WORKERS)) {
      const { stores, old } = await start()
      await put(stores.local, name, old.get(name))
      const next = await nextOf(full(stores), when)
      const read = async () => next.read(name).catch(({ reason, values }) => [reason, values])
      for (let round = 0; round < 2; round++) {
        const unread = ['recordUnreadable', { name }]
        expect([null, 'initial', unread]).toContainEqual(await read())
        expect(await next.told()).toEqual([name])
        await expect(next.write(name, 'third')).rejects.toMatchObject({ reason: 'recordUnreadable', values: { name } })
      }
      for (const other of RECORDS) if (other !== name) expect(await next.read(other)).toBe('new')
      expect(await stores.local.get(name)).toEqual(old.get(name))
      const later = await nextOf(stores, when)
      expect([await later.read(name), await later.told()]).toEqual(['initial', [name]])
    }
  },
)

test('revisions that are missing after a restart are reported on a full disk', async () => {
  const { stores } = await start()
  await stores.local.remove(REVISIONS)
  const next = await nextOf(full(stores), 'after a restart')
  for (const name of RECORDS) expect(await next.read(name)).toBe('new')
  expect(await next.told()).toEqual([REVISIONS])
})

test('after an update the wallet opens without a notice, on a full disk and once there is room', async () => {
  const { stores } = await startEarlier()
  for (const at of [full(stores), stores, stores]) {
    const next = await nextOf(at, 'after a restart')
    for (const name of RECORDS) expect(await next.read(name)).toBe('earlier')
    expect(await next.told()).toEqual([])
  }
})

test('if any single write after an update fails, no notice appears', async () => {
  for (let at = 0; ; at++) {
    const { stores } = await startEarlier()
    let writes = 0
    const set: Store['set'] = async (name, value) => {
      if (writes++ === at) throw new Error('QuotaExceededError')
      await stores.local.set(name, value)
    }
    const first = await nextOf({ ...stores, local: { ...stores.local, set } }, 'after a restart')
    for (const name of RECORDS) expect(await first.read(name)).toBe('earlier')
    const next = await nextOf(stores, 'after a restart')
    for (const name of RECORDS) expect(await next.read(name)).toBe('earlier')
    expect([await first.told(), await next.told()]).toEqual([[], []])
    if (writes <= at) return
  }
})
