/** Checks certificate files before uWebSockets.js uses them, because it does not report errors. */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { settingOf } from '../process/config.ts'

/** Paths of PEM files, both or neither. The certificate file may contain the chain. */
export type TlsFiles = { tlsCert: string; tlsKey: string }

/**
 * `digest` identifies the contents of both files. `expiresAt` is the earliest expiry in the chain, and `leaf` the
 * validity of the server's own certificate. Times are in Unix milliseconds.
 */
export type Certificate = { digest: string; expiresAt: number; leaf: { validFrom: number; validTo: number } }

const digestOfText = (cert: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([cert, key]))
    .digest('hex')

/** Returns a digest of the files' current contents, or the reason why they cannot be read. */
export const digestOf = ({ tlsCert, tlsKey }: TlsFiles): string => {
  try {
    return digestOfText(readFileSync(tlsCert, 'utf8'), readFileSync(tlsKey, 'utf8'))
  } catch (thrown) {
    return String(thrown)
  }
}

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Runs `read`, and turns its failure into an error for the operator. */
const orRefuse = <T>(read: () => T, words: (reason: string) => string): T => {
  try {
    return read()
  } catch (thrown) {
    throw new Error(words(reasonOf(thrown)))
  }
}

/**
 * Blanks before a block. TLS libraries skip a line that begins with blanks (or a byte order
 * mark), and thus the whole block.
 */
const HIDDEN = /^(?<blanks>[^\S\r\n]+)(?<line>-----BEGIN [A-Z0-9 ]+-----)/m

/** Dashes in UTF-16, which editors and shells on Windows write. */
const UTF_16 = /-\0-\0-/

/** Reads a PEM file. `name` is the file with its setting, for errors. */
const readPem = (name: string, path: string): string => {
  const pem = orRefuse(
    () => readFileSync(path, 'utf8'),
    reason => `${name} cannot be read: ${reason}`,
  )
  if (UTF_16.test(pem)) throw new Error(`${name} is in UTF-16: save it as UTF-8`)
  const { blanks, line } = HIDDEN.exec(pem)?.groups ?? {}
  if (blanks?.includes('\uFEFF'))
    throw new Error(`${name} has a byte order mark before ${line}, which hides it: save it as UTF-8 without one`)
  if (blanks !== undefined) throw new Error(`${name} has blanks before ${line}, which hide it: remove them`)
  return pem
}

const BLOCK = /^-----BEGIN (?<label>[A-Z0-9 ]+)-----.+?^-----END \k<label>-----/gms

const CERTIFICATE = /^(?:X509 |TRUSTED )?CERTIFICATE$/

/** Describes the unexpected contents of a PEM file by the labels of its blocks. */
const otherContents = (pem: string): string => {
  const labels = [...pem.matchAll(BLOCK)].map(({ groups }) => groups?.label)
  return labels.length === 0 ? '' : `: it contains ${[...new Set(labels)].join(', ')}`
}

type Chain = readonly [leaf: X509Certificate, ...issuers: X509Certificate[]]

const certificatesIn = (name: string, pem: string): Chain => {
  const blocks = [...pem.matchAll(BLOCK)].filter(({ groups }) => CERTIFICATE.test(groups?.label ?? ''))
  const [leaf, ...issuers] = blocks.map(([block], index) =>
    orRefuse(
      () => new X509Certificate(block),
      reason => `${name}: certificate ${index + 1} of ${blocks.length} cannot be read: ${reason}`,
    ),
  )
  if (!leaf) throw new Error(`${name} is not a PEM certificate${otherContents(pem)}`)
  return [leaf, ...issuers]
}

const kindOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string =>
  [asymmetricKeyType?.toUpperCase(), asymmetricKeyDetails?.namedCurve].filter(Boolean).join(' ')

/** Returns the reason why the key does not belong to the first certificate, which must be the server's own. */
const mismatch = ([leaf, ...issuers]: Chain, key: KeyObject): string => {
  const place = issuers.findIndex(issuer => issuer.checkPrivateKey(key))
  if (place >= 0) return `: its certificate is number ${place + 2} in the file, and must be the first`
  const [wanted, found] = [kindOf(leaf.publicKey), kindOf(key)]
  return wanted === found ? '' : `: the certificate is for a key of the kind ${wanted}, but the key is ${found}`
}

/** Returns the files, or undefined for a server without TLS. Throws an error that names the setting. */
export const tlsFiles = ({ tlsCert, tlsKey }: TlsFiles, prefix: string): TlsFiles | undefined => {
  if (tlsCert === '' && tlsKey === '') return undefined
  if (tlsCert === '') throw new Error(`${settingOf(prefix, 'tlsCert')}: is not set, but a key is`)
  if (tlsKey === '') throw new Error(`${settingOf(prefix, 'tlsKey')}: is not set, but a certificate is`)
  return { tlsCert, tlsKey }
}

const validityOf = ({ validFrom, validTo }: X509Certificate) => ({
  validFrom: Date.parse(validFrom),
  validTo: Date.parse(validTo),
})

/** Reads and checks the files. Throws an error that names the file and its setting. */
export const readCertificate = ({ tlsCert, tlsKey }: TlsFiles, prefix: string): Certificate => {
  const certName = `${settingOf(prefix, 'tlsCert')}: ${tlsCert}`
  const keyName = `${settingOf(prefix, 'tlsKey')}: ${tlsKey}`
  const cert = readPem(certName, tlsCert)
  const pem = readPem(keyName, tlsKey)
  const chain = certificatesIn(certName, cert)
  const key = orRefuse(
    () => createPrivateKey(pem),
    () => `${keyName} is not a PEM private key, or has a passphrase${otherContents(pem)}`,
  )
  if (!chain[0].checkPrivateKey(key)) {
    const setting = settingOf(prefix, 'tlsKey')
    throw new Error(
      `${setting}: the key in ${tlsKey} does not match the certificate in ${tlsCert}${mismatch(chain, key)}`,
    )
  }
  orRefuse(
    () => createSecureContext({ cert, key: pem }),
    reason => `${certName} cannot be used: ${reason}`,
  )
  const leaf = validityOf(chain[0])
  const expiresAt = Math.min(...chain.map(one => validityOf(one).validTo))
  return { digest: digestOfText(cert, pem), expiresAt, leaf }
}

/** Throws for a certificate that every client rejects because of its dates. `now` is Unix time in milliseconds. */
export const refuseOutdated = ({ leaf }: Certificate, { tlsCert }: TlsFiles, prefix: string, now: number): void => {
  const refuse = (words: string, time: number): never => {
    const name = `${settingOf(prefix, 'tlsCert')}: ${tlsCert}`
    throw new Error(`${name} ${words} ${new Date(time).toISOString()}: every client would refuse it`)
  }
  if (leaf.validTo < now) refuse('expired at', leaf.validTo)
  if (leaf.validFrom > now) refuse('is not valid before', leaf.validFrom)
}
