/**
 * Resolves host names without the thread pool, which the system's lookup would use. The store syncs on the same threads,
 * and a name server that never responds would block every commit.
 */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Timeout of one query in milliseconds. */
const TRY_MS = 2000
const TRIES = 2
const HOSTS_FILE = '/etc/hosts'

/** Resolves a host name to all its addresses. Throws if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const addressesIn = (hosts: string, hostname: string): string[] =>
  hosts.split('\n').flatMap(line => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) !== 0 && names.includes(hostname) ? [address] : []
  })

/** Uses DNS and, if it has no address, the hosts file. */
export const createResolve = (hostsFile = HOSTS_FILE): Resolve => {
  const dns = new Resolver({ timeout: TRY_MS, tries: TRIES })
  return async hostname => {
    const answers = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)])
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const own = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), hostname)
    if (own.length === 0) throw new Error('the name has no address')
    return own
  }
}
