import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeCertificate } from './certificate.fixture.ts'
import { checkTls } from './tls.ts'

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

const check = (settings: Partial<typeof none>) => checkTls({ ...none, ...settings }, 'RELAY')

test('uses TLS with both files, and none without', () => {
  const { tlsCert, tlsKey } = files
  expect(check({ tlsCert, tlsKey })).toEqual({ tlsCert, tlsKey })
  expect(check({})).toBeUndefined()
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
