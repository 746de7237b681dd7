/** Certificates and keys as operators have them: `--check-config` refuses what a start refuses, and names the file. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkCertificate } from './apps.ts'
import {
  type CertificateFiles,
  type CertificateKind,
  type CertificateOptions,
  writeCertificate,
} from './certificate.fixture.ts'
import { refuseOutdated } from './tls.ts'
import { SSLApp } from './uws.ts'

const CERT = 'RELAY_TLS_CERT (--tls-cert)'
const KEY = 'RELAY_TLS_KEY (--tls-key)'
const BYTE_ORDER_MARK = '\uFEFF'

let folder: string
let count = 0
let ec: CertificateFiles
let rsa: CertificateFiles
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  ec = make()
  rsa = make({ kind: 'rsa' })
})
afterAll(() => rm(folder, { recursive: true }))

const make = (options: CertificateOptions = {}): CertificateFiles => {
  const own = join(folder, `${count++}`)
  mkdirSync(own)
  return writeCertificate(own, options)
}

const file = (contents: string | Uint8Array): string => {
  const path = join(folder, `${count++}.pem`)
  writeFileSync(path, contents)
  return path
}

const read = (path: string): string => readFileSync(path, 'utf8')

const check = (tlsCert: string, tlsKey: string) => checkCertificate({ tlsCert, tlsKey }, 'RELAY')

/** True if a server can start with the files. */
const starts = (tlsCert: string, tlsKey: string): boolean => {
  try {
    SSLApp({ cert_file_name: tlsCert, key_file_name: tlsKey }).close()
    return true
  } catch {
    return false
  }
}

const expectRefusal = (tlsCert: string, tlsKey: string, words: string): void => {
  expect(starts(tlsCert, tlsKey)).toBe(false)
  expect(() => check(tlsCert, tlsKey)).toThrow(words)
}

const kinds: readonly CertificateKind[] = ['P-256', 'P-384', 'P-521', 'rsa', 'ed25519']

test('each kind of key fits its own certificate, and no other', () => {
  const all = [...kinds, ...kinds].map(kind => ({ kind, ...make({ kind }) }))
  for (const one of all)
    for (const other of all)
      if (one === other) expect(check(one.tlsCert, one.tlsKey).digest).toMatch(/^[0-9a-f]{64}$/)
      else {
        const words = `${KEY}: the key in ${other.tlsKey} does not match the certificate in ${one.tlsCert}`
        const reason = one.kind === other.kind ? '' : ': the certificate is for a key of the kind '
        expectRefusal(one.tlsCert, other.tlsKey, words + reason)
      }
})

test('an EC certificate with an RSA key', () => {
  expectRefusal(ec.tlsCert, rsa.tlsKey, 'is for a key of the kind EC prime256v1, but the key is RSA')
})

test('the certificate of the key must be the first of the chain', () => {
  const chain = file(`${rsa.cert}${ec.cert}`)
  expectRefusal(chain, ec.tlsKey, `${chain}: its certificate is number 2 in the file, and must be the first`)
  check(file(`${ec.cert}${rsa.cert}`), ec.tlsKey)
})

test('a byte order mark is refused in either file', () => {
  const mark = 'has a byte order mark before -----BEGIN '
  const cert = file(BYTE_ORDER_MARK + ec.cert)
  const key = file(BYTE_ORDER_MARK + read(ec.tlsKey))
  expectRefusal(cert, ec.tlsKey, `${CERT}: ${cert} ${mark}`)
  expectRefusal(ec.tlsCert, key, `${KEY}: ${key} ${mark}`)
  expectRefusal(file(`${BYTE_ORDER_MARK}${ec.cert}${rsa.cert}`), ec.tlsKey, mark)
})

test('UTF-16 is refused in either file, with a byte order mark or without', () => {
  for (const mark of [BYTE_ORDER_MARK, ''])
    for (const swap of [(bytes: Buffer) => bytes, (bytes: Buffer) => bytes.swap16()]) {
      const encoded = (path: string) => file(swap(Buffer.from(mark + read(path), 'utf16le')))
      expectRefusal(encoded(ec.tlsCert), ec.tlsKey, 'is in UTF-16: save it as UTF-8')
      expectRefusal(ec.tlsCert, encoded(ec.tlsKey), 'is in UTF-16: save it as UTF-8')
    }
})

test('a certificate of the chain that a server would not read is named', () => {
  const hides = (before: string, words: string) => {
    const chain = file(ec.cert + before + rsa.cert)
    expect(starts(chain, ec.tlsKey)).toBe(true)
    expect(() => check(chain, ec.tlsKey)).toThrow(`${CERT}: ${chain} has ${words} before -----BEGIN CERTIFICATE-----`)
  }
  hides(BYTE_ORDER_MARK, 'a byte order mark')
  hides('  ', 'blanks')
  hides('\t', 'blanks')
  hides('intermediate:\n ', 'blanks')
  const joined = file(ec.cert.trimEnd() + rsa.cert)
  expectRefusal(joined, ec.tlsKey, `${CERT}: ${joined} cannot be used: `)
})

test('a byte order mark before a comment hides nothing', () => {
  check(file(`${BYTE_ORDER_MARK}subject=CN = localhost\n${ec.cert}`), ec.tlsKey)
})

test('the first key in a file counts', () => {
  check(ec.tlsCert, file(read(ec.tlsKey) + read(rsa.tlsKey)))
  expectRefusal(ec.tlsCert, file(read(rsa.tlsKey) + read(ec.tlsKey)), 'but the key is RSA')
  const key = createPrivateKey(read(rsa.tlsKey))
  check(rsa.tlsCert, file(key.export({ type: 'pkcs1', format: 'pem' }) as string))
})

test('files of other kinds are refused, and the error says what they contain', () => {
  const key = createPrivateKey(read(ec.tlsKey))
  const encrypted = file(
    key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'secret' }) as string,
  )
  const inPublic = file(createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string)
  expectRefusal(ec.tlsKey, ec.tlsCert, `${ec.tlsKey} is not a PEM certificate: it contains PRIVATE KEY`)
  expectRefusal(
    ec.tlsCert,
    ec.tlsCert,
    `${ec.tlsCert} is not a PEM private key, or has a passphrase: it contains CERTIFICATE`,
  )
  expectRefusal(ec.tlsCert, encrypted, 'or has a passphrase: it contains ENCRYPTED PRIVATE KEY')
  expectRefusal(ec.tlsCert, inPublic, 'it contains PUBLIC KEY')
  expectRefusal(file(key.export({ type: 'sec1', format: 'der' }) as Buffer), ec.tlsKey, 'is not a PEM certificate')
  expectRefusal(file(ec.cert.replace(/^/gm, '  ')), ec.tlsKey, 'has blanks before -----BEGIN CERTIFICATE-----')
  expectRefusal(file(''), ec.tlsKey, 'is not a PEM certificate')
})

test('a damaged certificate of the chain is named', () => {
  const damaged = rsa.cert.replace('MII', 'AII')
  const chain = file(`${ec.cert}${damaged}`)
  expectRefusal(chain, ec.tlsKey, `${CERT}: ${chain}: certificate 2 of 2 cannot be read`)
})

test('a kind of key that the server does not support is refused', () => {
  const other = make({ kind: 'secp256k1' })
  expectRefusal(
    other.tlsCert,
    other.tlsKey,
    `${CERT}: ${other.tlsCert} cannot be used with ${other.tlsKey}: the server needs`,
  )
})

test('extra text that certificate tools write is accepted', () => {
  const key = createPrivateKey(read(ec.tlsKey))
  const both = file(`${read(ec.tlsKey)}${ec.cert}`)
  const sec1 = key.export({ type: 'sec1', format: 'pem' }) as string
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
  check(both, both)
  check(file(ec.cert.replaceAll('\n', '\r\n')), file(read(ec.tlsKey).replaceAll('\n', '\r\n')))
  check(file(`subject=CN = localhost\n\n${ec.cert}`), file(`Bag Attributes\n${read(ec.tlsKey)}`))
  check(ec.tlsCert, file(sec1))
  check(ec.tlsCert, file(parameters + sec1))
})

test('a certificate outside its validity is refused, because every client would refuse it', () => {
  const now = Date.UTC(2026, 0, 15)
  const day = 86_400_000
  const refuse = (startsAt: number, expiresAt: number) => {
    const files = make({ startsAt: now + startsAt * day, expiresAt: now + expiresAt * day })
    return () => refuseOutdated(check(files.tlsCert, files.tlsKey), files, 'RELAY', now)
  }
  expect(refuse(-90, -1)).toThrow(
    /^RELAY_TLS_CERT \(--tls-cert\): .* expired at 2026-01-14T00:00:00.000Z: every client/,
  )
  expect(refuse(1, 90)).toThrow('is not valid before 2026-01-16T00:00:00.000Z: every client would refuse it')
  expect(refuse(-1, 1)).not.toThrow()
})

test('an expired issuer at the end of the chain does not refuse the certificate', () => {
  const expired = make({ expiresAt: Date.now() - 1000, startsAt: Date.now() - 2000 })
  const tlsCert = file(ec.cert + expired.cert)
  refuseOutdated(check(tlsCert, ec.tlsKey), { tlsCert, tlsKey: ec.tlsKey }, 'RELAY', Date.now())
})
