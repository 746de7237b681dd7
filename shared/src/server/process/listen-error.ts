/** Explains to the operator why a server cannot listen on an address. */
import { createServer } from 'node:net'
import { settingOf } from './config.ts'

/** Resolves with the error code of listening on this address, or undefined if listening succeeds. */
export const listenError = (host: string, port: number): Promise<string | undefined> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })

type Setting = 'port' | 'host'

/** Reason and settings to change, by error code. */
const REASONS: Readonly<Record<string, readonly [reason: string, ...change: Setting[]]>> = {
  EADDRINUSE: ['the port is in use', 'port', 'host'],
  EACCES: ['the port requires more privileges', 'port'],
  EPERM: ['the system does not permit it', 'port', 'host'],
  EADDRNOTAVAIL: ['this machine does not have the address', 'host'],
  EAFNOSUPPORT: ['this machine does not support this kind of address', 'host'],
  EINVAL: ['the address is not valid for listening', 'host'],
  ENOTFOUND: ['the host name has no address', 'host'],
  EAI_AGAIN: ['no DNS server answers for the host name', 'host'],
  EMFILE: ['this process has too many files open'],
  ENFILE: ['this machine has too many files open'],
}

/** Returns one line with the address, the reason and the settings to change. `code` is from `listenError`. */
export const refusal = (code: string | undefined, host: string, port: number, prefix: string): string => {
  const [reason, ...change] = REASONS[code ?? ''] ?? [code ?? 'unknown reason', 'port', 'host']
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const advice = change.map(setting => settingOf(prefix, setting)).join(' or ')
  return `cannot listen on ${address}: ${reason}${advice === '' ? '' : `; change ${advice}`}`
}
