/** TLS by certificate files, which are checked before the server that cannot say what is wrong with them takes them. */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { settingOf } from './config.ts'

/** Paths of PEM files, both or neither; the certificate may be followed by those it depends on. */
export type TlsFiles = { tlsCert: string; tlsKey: string }

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

/** The files for the server, or undefined for a server without TLS. Throws an error that names the setting. */
export const checkTls = ({ tlsCert, tlsKey }: TlsFiles, prefix: string): TlsFiles | undefined => {
  const [certSetting, keySetting] = [settingOf(prefix, 'tlsCert'), settingOf(prefix, 'tlsKey')]
  if (tlsCert === '' && tlsKey === '') return undefined
  if (tlsCert === '') throw new Error(`${certSetting}: is missing, but there is a key`)
  if (tlsKey === '') throw new Error(`${keySetting}: is missing, but there is a certificate`)
  const cert = readPem(certSetting, tlsCert)
  const key = readPem(keySetting, tlsKey)
  refuseUnless(`${certSetting}: ${tlsCert} holds no certificate in PEM`, () => createSecureContext({ cert }))
  refuseUnless(`${keySetting}: ${tlsKey} holds no private key in PEM, or one with a passphrase`, () =>
    createSecureContext({ key }),
  )
  refuseUnless(`${keySetting}: the key in ${tlsKey} is not that of the certificate in ${tlsCert}`, () =>
    createSecureContext({ cert, key }),
  )
  return { tlsCert, tlsKey }
}
