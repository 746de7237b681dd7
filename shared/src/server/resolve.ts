/**
 * Host names to addresses, without the threads that the system's own look-up needs: the store commits with the same few,
 * and a name whose server never answers would hold up every commit.
 */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Milliseconds that a name server may take for one try. */
const TRY_MS = 2000
const TRIES = 2
/** Names that this machine knows by itself. */
const HOSTS_FILE = '/etc/hosts'

/** All addresses of a host name. Throws when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const addressesIn = (hosts: string, hostname: string): string[] =>
  hosts.split('\n').flatMap(line => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) !== 0 && names.includes(hostname) ? [address] : []
  })

/** The addresses that DNS has for a name or, if it has none, those of the hosts file. */
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
