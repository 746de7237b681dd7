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

const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
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

/**
 * Writes `cert.pem` and `key.pem` to a folder. The certificate is for localhost and 127.0.0.1, and valid for a day, or until
 * `expiresAt` in Unix milliseconds.
 */
export const writeCertificate = (
  folder: string,
  expiresAt = Date.now() + DAY,
): { tlsCert: string; tlsKey: string; cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const version = der(0xa0, der(0x02, Uint8Array.of(2)))
  const serial = der(0x02, Uint8Array.of(1))
  const validity = sequence(time(Date.now() - DAY), time(expiresAt))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const signed = sequence(version, serial, ECDSA_WITH_SHA256, name, validity, name, key, extensions)
  const cert = pem('CERTIFICATE', sequence(signed, ECDSA_WITH_SHA256, bitString(sign('sha256', signed, privateKey))))
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(tlsCert, cert)
  writeFileSync(tlsKey, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { tlsCert, tlsKey, cert }
}
