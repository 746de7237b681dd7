/**
 * The server's Ed25519 key, with which it signs webhook calls. It is created once in the data directory and readable by
 * its owner only.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type DidKey, encodeDidKey } from '../../wire/did-key.ts'
import { freeing, listOf, type Redis, scriptOf } from '../redis/redis.ts'
import { json, type Route } from '../transport/http.ts'

/** Name of the key's file in a data directory. */
export const KEY_FILE = 'signing-key.pem'
const OWNER_ONLY = 0o600

export type SigningKey = {
  did: DidKey
  /** Public key, 32 bytes in hex. */
  publicKey: string
  /** Ed25519 signature (RFC 8032), 64 bytes. */
  sign: (bytes: Uint8Array) => Buffer
}

const synced = (path: string, flags: string, use: (file: number) => void): void => {
  const file = openSync(path, flags, OWNER_ONLY)
  try {
    use(file)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes the key atomically: after a crash there is no key or a complete one. */
const writePem = (dataDir: string, path: string, pem: string): void => {
  const draft = `${path}.draft`
  rmSync(draft, { force: true })
  synced(draft, 'wx', file => writeSync(file, pem))
  renameSync(draft, path)
  synced(dataDir, 'r', () => undefined)
}

const newPem = (): string =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey

const unusable = (place: string, thrown: unknown): Error =>
  new Error(`the key ${place} cannot be used: ${thrown instanceof Error ? thrown.message : thrown}`)

/** Returns the PEM of the key in a data directory. Creates the key if needed. */
const pemIn = (dataDir: string): string => {
  const path = join(dataDir, KEY_FILE)
  try {
    if (!existsSync(path)) writePem(dataDir, path, newPem())
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw unusable(path, thrown)
  }
}

const keyIn = (pem: string): KeyObject => {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key')
  return key
}

/** Reads a key from its PEM. Throws an error that names the place of the key. */
const signingKeyIn = (pem: string, place: string): SigningKey => {
  try {
    const key = keyIn(pem)
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
    const publicKey = Buffer.from(x, 'base64url')
    return {
      did: encodeDidKey(publicKey),
      publicKey: publicKey.toString('hex'),
      sign: bytes => sign(undefined, bytes, key),
    }
  } catch (thrown) {
    throw unusable(place, thrown)
  }
}

/** Opens the key in an existing data directory, or creates it. Throws an error that names the file. */
export const openSigningKey = (dataDir: string): SigningKey => signingKeyIn(pemIn(dataDir), join(dataDir, KEY_FILE))

/** Checks the key of a data directory that has one. Throws like `openSigningKey`. */
export const checkSigningKey = (dataDir: string): void => {
  if (existsSync(join(dataDir, KEY_FILE))) openSigningKey(dataDir)
}

const sharedName = (prefix: string): string => `${prefix}:{tables}:signing-key`

const placeOf = (name: string): string => `${name} in Redis`

/** Checks the key of all servers on one Redis, if there is one. Throws like `openSharedSigningKey`. */
export const checkSharedSigningKey = async (redis: Redis, prefix: string): Promise<void> => {
  const name = sharedName(prefix)
  const pem = await redis.send(name, ['GET', name])
  if (typeof pem === 'string') signingKeyIn(pem, placeOf(name))
}

/** Writes the key of all servers on one Redis to a data directory that has none. */
export const copySharedSigningKey = async (redis: Redis, prefix: string, dataDir: string): Promise<void> => {
  const pem = await redis.send(sharedName(prefix), ['GET', sharedName(prefix)])
  if (typeof pem === 'string') writePem(dataDir, join(dataDir, KEY_FILE), pem)
}

/**
 * Stores a key and the time at which it was first stored, unless the stored key is older. A key without a time, '', was
 * never stored, so it replaces none; if there is none, it gets the current time, the third argument. A stored key
 * without a time counts as the oldest, because an earlier version wrote it. Returns the key and the time that are then
 * stored.
 */
const HOLD = scriptOf(`
  local pem, since = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])
  local isNew = ARGV[2] == ''
  if pem and (isNew or pem == ARGV[1] or tonumber(since or 0) <= tonumber(ARGV[2])) then return { pem, since or '0' } end
  since = isNew and ARGV[3] or ARGV[2]
  redis.call('SET', KEYS[1], ARGV[1])
  redis.call('SET', KEYS[2], since)
  return { ARGV[1], since }`)

/** The key of all servers on one Redis. It changes if Redis loses the key and another server restores an older key. */
export type SharedSigningKey = SigningKey & {
  /** Stores the key again if Redis has lost it, or adopts an older key from Redis. Rejects with RedisUnavailable. */
  hold: () => Promise<void>
}

/**
 * Opens the key of all servers on one Redis, which is the key from the first server's data directory. Throws
 * RedisUnavailable, or an error that names the place of an unusable key.
 */
export const openSharedSigningKey = async (
  redis: Redis,
  prefix: string,
  dataDir: string,
): Promise<SharedSigningKey> => {
  const name = sharedName(prefix)
  const keys: [string, string] = [name, `${name}-since`]
  const own = pemIn(dataDir)
  let key = signingKeyIn(own, join(dataDir, KEY_FILE))
  let held = { pem: own, since: '' }

  const hold = async (): Promise<void> => {
    const values = [held.pem, held.since, `${Date.now()}`]
    const [pem = '', since = ''] = listOf(await redis.run(freeing(HOLD), keys, values)).map(String)
    if (pem !== held.pem) key = signingKeyIn(pem, placeOf(name))
    held = { pem, since }
  }

  await hold()
  return {
    get did() {
      return key.did
    },
    get publicKey() {
      return key.publicKey
    },
    sign: bytes => key.sign(bytes),
    hold,
  }
}

/** `GET /public-key`: the key as did:key and in hex. */
export const publicKeyRoute = (key: SigningKey): Route => ({
  GET: () => json({ did: key.did, publicKey: key.publicKey }),
})
