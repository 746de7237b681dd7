/**
 * The Ed25519 key of a server, under which it signs what it sends to others. It is made once and lies in the data folder,
 * for its owner alone to read.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type DidKey, encodeDidKey } from '../wire/did-key.ts'
import { json, type Route } from './http.ts'

const FILE = 'signing-key.pem'
const OWNER_ONLY = 0o600

export type SigningKey = {
  did: DidKey
  /** The 32 bytes of the public key in hex. */
  publicKey: string
  /** The 64 bytes of the signature (RFC 8032) of those bytes. */
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

/** A crash on the way leaves no key or a whole one. */
const makeKey = (dataDir: string, path: string): void => {
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const draft = `${path}.draft`
  rmSync(draft, { force: true })
  synced(draft, 'wx', file => writeSync(file, privateKey))
  renameSync(draft, path)
  synced(dataDir, 'r', () => undefined)
}

const readKey = (path: string): KeyObject => {
  const key = createPrivateKey(readFileSync(path))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key')
  return key
}

/** Opens the key of a data folder that exists, and makes it the first time. Throws an error that names the file. */
export const openSigningKey = (dataDir: string): SigningKey => {
  const path = join(dataDir, FILE)
  try {
    if (!existsSync(path)) makeKey(dataDir, path)
    const key = readKey(path)
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
    const publicKey = Buffer.from(x, 'base64url')
    return {
      did: encodeDidKey(publicKey),
      publicKey: publicKey.toString('hex'),
      sign: bytes => sign(undefined, bytes, key),
    }
  } catch (thrown) {
    throw new Error(`the key ${path} cannot be used: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

/** `GET /public-key`: the key in both forms in which receivers know keys. */
export const publicKeyRoute = ({ did, publicKey }: SigningKey): Route => ({ GET: () => json({ did, publicKey }) })
