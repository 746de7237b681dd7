/** Why a server cannot listen at an address, in words for the person who set it. */
import { createServer } from 'node:net'
import { settingOf } from './config.ts'

/** The system's code for why this process cannot listen there; undefined if it can. */
export const listenError = (host: string, port: number): Promise<string | undefined> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })

type Setting = 'port' | 'host'

/** What is wrong, and the setting to change. */
const REASONS: Readonly<Record<string, readonly [reason: string, ...change: Setting[]]>> = {
  EADDRINUSE: ['the port is taken', 'port', 'host'],
  EACCES: ['the port needs more rights', 'port'],
  EPERM: ['the system forbids it', 'port', 'host'],
  EADDRNOTAVAIL: ['this machine does not have the address', 'host'],
  EAFNOSUPPORT: ['this machine does not support this kind of address', 'host'],
  EINVAL: ['the address cannot be listened at', 'host'],
  ENOTFOUND: ['the name has no address', 'host'],
  EAI_AGAIN: ['no name server answers for the name', 'host'],
  EMFILE: ['this process has too many files open'],
  ENFILE: ['this machine has too many files open'],
}

/** One line that names the address, the reason and the settings to change. `code` is from `listenError`. */
export const refusal = (code: string | undefined, host: string, port: number, prefix: string): string => {
  const [reason, ...change] = REASONS[code ?? ''] ?? [code ?? 'the system does not say why', 'port', 'host']
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const advice = change.map(setting => settingOf(prefix, setting)).join(' or ')
  return `cannot listen on ${address}: ${reason}${advice === '' ? '' : `; change ${advice}`}`
}
