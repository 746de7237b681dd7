/** Checks certificate files before uWebSockets.js uses them, because it does not report errors. */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { settingOf } from '../process/config.ts'

/** Paths of PEM files, both or neither. The certificate file may contain the chain. */
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

/** Returns the files, or undefined for a server without TLS. Throws an error that names the setting. */
export const checkTls = ({ tlsCert, tlsKey }: TlsFiles, prefix: string): TlsFiles | undefined => {
  const [certSetting, keySetting] = [settingOf(prefix, 'tlsCert'), settingOf(prefix, 'tlsKey')]
  if (tlsCert === '' && tlsKey === '') return undefined
  if (tlsCert === '') throw new Error(`${certSetting}: is not set, but a key is`)
  if (tlsKey === '') throw new Error(`${keySetting}: is not set, but a certificate is`)
  const cert = readPem(certSetting, tlsCert)
  const key = readPem(keySetting, tlsKey)
  refuseUnless(`${certSetting}: ${tlsCert} is not a PEM certificate`, () => createSecureContext({ cert }))
  refuseUnless(`${keySetting}: ${tlsKey} is not a PEM private key, or has a passphrase`, () =>
    createSecureContext({ key }),
  )
  refuseUnless(`${keySetting}: the key in ${tlsKey} does not match the certificate in ${tlsCert}`, () =>
    createSecureContext({ cert, key }),
  )
  return { tlsCert, tlsKey }
}
