/**
 * The uWebSockets.js app of a server. With TLS, each change of the certificate files opens another app: the first app
 * keeps the port and forwards new connections to the latest app. No connection is refused or closed meanwhile, and
 * earlier connections keep their certificate.
 */
import type { TemplatedApp } from 'uWebSockets.js'
import { settingOf } from '../process/config.ts'
import type { Logger } from '../process/log.ts'
import { type Certificate, digestOf, readCertificate, type TlsFiles, tlsFiles } from './tls.ts'
import { App, SSLApp } from './uws.ts'

/** Milliseconds between checks of the files. New contents are loaded once two checks in a row have found them. */
const LOOK_EVERY = 3000

export type Apps = {
  scheme: 'http' | 'https'
  /** The app that listens. */
  listener: TemplatedApp
  /** The certificate of new connections. Undefined without TLS. */
  certificate: () => Certificate | undefined
  /** Stops loading changed files. */
  stop: () => void
  /** Closes all connections. */
  close: () => void
}

export type AppOptions = {
  config: TlsFiles
  /** Prefix of the environment variables. */
  prefix: string
  /** Registers the handlers of an app. */
  prepare: (app: TemplatedApp) => void
  log: Logger
}

type Secure = { app: TemplatedApp; certificate: Certificate }

/** Opens an app with TLS. uWebSockets.js supports fewer kinds of keys than Node, and does not say why it fails. */
const openSecureApp = ({ tlsCert, tlsKey }: TlsFiles, prefix: string): TemplatedApp => {
  try {
    return SSLApp({ cert_file_name: tlsCert, key_file_name: tlsKey })
  } catch {
    throw new Error(
      `${settingOf(prefix, 'tlsCert')}: ${tlsCert} cannot be used with ${tlsKey}: the server needs RSA, Ed25519, or ECDSA on P-256, P-384 or P-521`,
    )
  }
}

/** Opens an app with the present contents of the files. Throws an error for the operator. */
const openSecure = (files: TlsFiles, { prefix, prepare }: Pick<AppOptions, 'prefix' | 'prepare'>): Secure => {
  const certificate = readCertificate(files, prefix)
  const app = openSecureApp(files, prefix)
  // The app reads the files itself, so they may have changed since `readCertificate` checked them.
  if (digestOf(files) !== certificate.digest) {
    app.close()
    throw new Error(`${files.tlsCert} or ${files.tlsKey} changed while it was read`)
  }
  prepare(app)
  return { app, certificate }
}

/** Throws the error with which a server would fail to start with these files. */
export const checkCertificate = (files: TlsFiles, prefix: string): Certificate => {
  const { app, certificate } = openSecure(files, { prefix, prepare: () => undefined })
  app.close()
  return certificate
}

const dateOf = ({ expiresAt }: Certificate): string => new Date(expiresAt).toISOString()

/** Loads changed files, on SIGHUP at once. Logs unusable files and keeps the earlier certificate. */
const openRenewed = (files: TlsFiles, options: AppOptions): Apps => {
  const { log } = options
  const first = openSecure(files, options)
  // uWebSockets.js frees an app, closed or not, only when the process exits. Replaced apps are therefore closed only
  // with the server.
  const apps = [first.app]
  let current = first
  let found = first.certificate.digest
  let tried = found

  const replaceBy = (next: Secure): void => {
    first.app.addChildAppDescriptor(next.app.getDescriptor())
    if (current !== first) first.app.removeChildAppDescriptor(current.app.getDescriptor())
    current = next
    apps.push(next.app)
  }

  const load = (): void => {
    tried = digestOf(files)
    if (tried === current.certificate.digest) {
      log.info({ expires: dateOf(current.certificate) }, 'the TLS certificate in the files is already in use')
      return
    }
    try {
      replaceBy(openSecure(files, options))
      log.info({ expires: dateOf(current.certificate) }, 'new connections use the TLS certificate in the files')
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      const expires = dateOf(current.certificate)
      log.warn({ reason, expires }, 'the TLS certificate in the files cannot be used; the server keeps the earlier one')
    }
  }

  // A certificate and its key are often written one after the other, so new files are loaded once two checks in a row
  // have found the same contents.
  const look = (): void => {
    const before = found
    found = digestOf(files)
    if (found === before && found !== tried) load()
  }
  const timer = setInterval(look, LOOK_EVERY)
  process.on('SIGHUP', load)

  return {
    scheme: 'https',
    listener: first.app,
    certificate: () => current.certificate,
    stop: () => {
      clearInterval(timer)
      process.off('SIGHUP', load)
    },
    close: () => {
      for (const app of apps) app.close()
    },
  }
}

const openPlain = ({ prepare }: AppOptions): Apps => {
  const app = App()
  prepare(app)
  return {
    scheme: 'http',
    listener: app,
    certificate: () => undefined,
    stop: () => undefined,
    close: () => {
      app.close()
    },
  }
}

/** Opens the app of a server, with TLS if it is configured. Throws an error that names the setting. */
export const openApps = (options: AppOptions): Apps => {
  const files = tlsFiles(options.config, options.prefix)
  return files ? openRenewed(files, options) : openPlain(options)
}
