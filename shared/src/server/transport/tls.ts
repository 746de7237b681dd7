/** Checks certificate files before uWebSockets.js uses them, because it does not report errors. */
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { settingOf } from '../process/config.ts'

/** Paths of PEM files, both or neither. The certificate file may contain the chain. */
export type TlsFiles = { tlsCert: string; tlsKey: string }

/** `digest` identifies the contents of both files. `expiresAt` is Unix time in milliseconds. */
export type Certificate = { digest: string; expiresAt: number }

const CERTIFICATES = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs

const digestOfText = (cert: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([cert, key]))
    .digest('hex')

/** Identifies the present contents of the files, or the reason why they cannot be read. */
export const digestOf = ({ tlsCert, tlsKey }: TlsFiles): string => {
  try {
    return digestOfText(readFileSync(tlsCert, 'utf8'), readFileSync(tlsKey, 'utf8'))
  } catch (thrown) {
    return String(thrown)
  }
}

/** Earliest expiry of the certificates of a chain, in Unix milliseconds. */
const expiryOf = (chain: string): number =>
  Math.min(...(chain.match(CERTIFICATES) ?? [chain]).map(pem => Date.parse(new X509Certificate(pem).validTo)))

const readPem = (setting: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new Error(`${setting}: ${path} cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

const refuseUnless = (words: string, check: () => unknown): void => {
  try {
    check()
  } catch {
    throw new Error(words)
  }
}

/** Returns the files, or undefined for a server without TLS. Throws an error that names the setting. */
export const tlsFiles = ({ tlsCert, tlsKey }: TlsFiles, prefix: string): TlsFiles | undefined => {
  if (tlsCert === '' && tlsKey === '') return undefined
  if (tlsCert === '') throw new Error(`${settingOf(prefix, 'tlsCert')}: is not set, but a key is`)
  if (tlsKey === '') throw new Error(`${settingOf(prefix, 'tlsKey')}: is not set, but a certificate is`)
  return { tlsCert, tlsKey }
}

/** Reads and checks the files. Throws an error that names the file and its setting. */
export const readCertificate = ({ tlsCert, tlsKey }: TlsFiles, prefix: string): Certificate => {
  const [certSetting, keySetting] = [settingOf(prefix, 'tlsCert'), settingOf(prefix, 'tlsKey')]
  const cert = readPem(certSetting, tlsCert)
  const key = readPem(keySetting, tlsKey)
  refuseUnless(`${certSetting}: ${tlsCert} is not a PEM certificate`, () => createSecureContext({ cert }))
  refuseUnless(`${keySetting}: ${tlsKey} is not a PEM private key, or has a passphrase`, () =>
    createSecureContext({ key }),
  )
  refuseUnless(`${keySetting}: the key in ${tlsKey} does not match the certificate in ${tlsCert}`, () =>
    createSecureContext({ cert, key }),
  )
  return { digest: digestOfText(cert, key), expiresAt: expiryOf(cert) }
}
