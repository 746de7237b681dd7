import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeCertificate } from './certificate.fixture.ts'
import { digestOf, readCertificate, tlsFiles } from './tls.ts'

const none = { tlsCert: '', tlsKey: '' }
const CERT = 'RELAY_TLS_CERT (--tls-cert)'
const KEY = 'RELAY_TLS_KEY (--tls-key)'

let folder: string
let files: { tlsCert: string; tlsKey: string }
let others: { tlsCert: string; tlsKey: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-'))
  await mkdir(join(folder, 'other'))
  files = writeCertificate(folder)
  others = writeCertificate(join(folder, 'other'))
  await writeFile(join(folder, 'text'), 'not a PEM file')
})
afterAll(() => rm(folder, { recursive: true }))

const check = (settings: Partial<typeof none>) => {
  const chosen = tlsFiles({ ...none, ...settings }, 'RELAY')
  return chosen && readCertificate(chosen, 'RELAY')
}

test('uses TLS with both files, and none without', () => {
  expect(check(files)).toMatchObject({ digest: digestOf(files), expiresAt: expect.any(Number) })
  expect(check({})).toBeUndefined()
})

test('a chain expires with the first of its certificates', async () => {
  const now = 1_900_000_000_000
  const chains = await Promise.all(
    [now, now - 5000, now + 5000].map(async (expiresAt, index) => {
      const path = join(folder, `chain ${index}`)
      await mkdir(path)
      return writeCertificate(path, { expiresAt })
    }),
  )
  const [leaf] = chains
  const chain = join(folder, 'chain.pem')
  await writeFile(chain, chains.map(({ cert }) => cert).join(''))
  expect(check({ tlsCert: chain, tlsKey: leaf?.tlsKey ?? '' })?.expiresAt).toBe(now - 5000)
})

test('the digest changes with either file, and an unreadable file has its own', async () => {
  const { tlsCert, tlsKey } = files
  const all = [
    files,
    { tlsCert, tlsKey: others.tlsKey },
    { tlsCert: others.tlsCert, tlsKey },
    { ...files, tlsKey: '/none' },
  ]
  expect(new Set(all.map(digestOf)).size).toBe(4)
  expect(digestOf({ ...files })).toBe(digestOf(files))
})

test('the error names an unusable file and its setting', () => {
  const { tlsCert, tlsKey } = files
  const missing = join(folder, 'missing')
  const text = join(folder, 'text')
  expect(() => check({ tlsCert })).toThrow(`${KEY}: is not set`)
  expect(() => check({ tlsKey })).toThrow(`${CERT}: is not set`)
  expect(() => check({ tlsCert: missing, tlsKey })).toThrow(`${CERT}: ${missing} cannot be read: ENOENT`)
  expect(() => check({ tlsCert, tlsKey: folder })).toThrow(`${KEY}: ${folder} cannot be read: EISDIR`)
  expect(() => check({ tlsCert: text, tlsKey })).toThrow(`${CERT}: ${text} is not a PEM certificate`)
  expect(() => check({ tlsCert, tlsKey: text })).toThrow(`${KEY}: ${text} is not a PEM private key`)
  expect(() => check({ tlsCert: tlsKey, tlsKey })).toThrow(`${CERT}: ${tlsKey} is not a PEM certificate`)
  expect(() => check({ tlsCert, tlsKey: others.tlsKey })).toThrow(
    `${KEY}: the key in ${others.tlsKey} does not match the certificate in ${tlsCert}`,
  )
})
