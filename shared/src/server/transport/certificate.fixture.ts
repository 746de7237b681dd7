/** Creates a self-signed certificate for localhost for each test (RFC 5280, in DER). */
import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DAY = 86_400_000

/** Encodes a DER value: tag, length, content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const length = content.length
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.of(tag, ...bytes), content])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const bitString = (bytes: Uint8Array): Buffer => der(0x03, Uint8Array.of(0), bytes)
const time = (milliseconds: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(milliseconds).toISOString().replace(/[-:T]|\..*/g, '')}Z`))

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const ecdsa = (namedCurve: string) => ({
  keys: generateKeyPairSync('ec', { namedCurve }),
  algorithm: sequence(oid('2a8648ce3d040302')),
  digest: 'sha256',
})

/** Fresh keys of each kind, with the algorithm (RFC 5912, RFC 8410) and the digest of their signatures. */
const kinds = {
  'P-256': () => ecdsa('P-256'),
  'P-384': () => ecdsa('P-384'),
  'P-521': () => ecdsa('P-521'),
  secp256k1: () => ecdsa('secp256k1'),
  rsa: () => ({
    keys: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    algorithm: sequence(oid('2a864886f70d01010b'), der(0x05)),
    digest: 'sha256',
  }),
  ed25519: () => ({
    keys: generateKeyPairSync('ed25519'),
    algorithm: sequence(oid('2b6570')),
    digest: undefined,
  }),
}

export type CertificateKind = keyof typeof kinds
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'))
const SUBJECT_ALT_NAME = der(0x06, Buffer.from('551d11', 'hex'))

const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('localhost')))))
const localhost = der(0x82, Buffer.from('localhost'))
const loopback = der(0x87, Uint8Array.of(127, 0, 0, 1))
const extensions = der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, sequence(localhost, loopback)))))

const pem = (label: string, bytes: Uint8Array): string => {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

export type CertificateFiles = { tlsCert: string; tlsKey: string; cert: string }

/** Times are in Unix milliseconds. By default the certificate is valid for a day. */
export type CertificateOptions = { kind?: CertificateKind; startsAt?: number; expiresAt?: number }

/** Writes `cert.pem` and `key.pem` to a folder. The certificate is for localhost and 127.0.0.1. */
export const writeCertificate = (
  folder: string,
  { kind = 'P-256', startsAt = Date.now() - DAY, expiresAt = Date.now() + DAY }: CertificateOptions = {},
): CertificateFiles => {
  const { keys, algorithm, digest } = kinds[kind]()
  const { publicKey, privateKey } = keys
  const version = der(0xa0, der(0x02, Uint8Array.of(2)))
  const serial = der(0x02, Uint8Array.of(1))
  const validity = sequence(time(startsAt), time(expiresAt))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const signed = sequence(version, serial, algorithm, name, validity, name, key, extensions)
  const cert = pem('CERTIFICATE', sequence(signed, algorithm, bitString(sign(digest, signed, privateKey))))
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(tlsCert, cert)
  writeFileSync(tlsKey, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { tlsCert, tlsKey, cert }
}
