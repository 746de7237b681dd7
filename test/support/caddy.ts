/** Runs Caddy with `deploy/Caddyfile`. Caddy comes from the system or from `setup.js`. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCaddy } from '../../programs.js'
import { spawnProgram } from './child.ts'
import { root } from './root.ts'

type Site = { port: number; upstream: number }

export type Caddy = {
  /** Caddy's log so far. */
  log: () => string
  stop: () => Promise<void>
}

/**
 * Returns deploy/Caddyfile with other names, ports and certificates. Throws if a text to replace does not occur exactly
 * once.
 */
const configOf = (sites: Readonly<Record<'relay' | 'bridge', Site>>, tls: string): string => {
  let text = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8')
  const replace = (before: string, after: string): void => {
    if (text.split(before).length !== 2) throw new Error(`deploy/Caddyfile does not have ${before} once`)
    text = text.replace(before, after)
  }
  replace('{\n\tlog default', '{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\tlog default')
  for (const [kind, { port, upstream }] of Object.entries(sites)) {
    replace(`${kind}.{$DOMAIN} {`, `https://localhost:${port} {\n\t${tls}`)
    replace(`${kind}:8080`, `127.0.0.1:${upstream}`)
  }
  return text
}

/** Starts Caddy with a certificate for localhost. Resolves once it listens. */
export const startCaddy = async (
  folder: string,
  sites: Readonly<Record<'relay' | 'bridge', Site>>,
  { tlsCert, tlsKey }: { tlsCert: string; tlsKey: string },
): Promise<Caddy> => {
  const program = findCaddy()
  if (program === undefined)
    throw new Error('caddy was not found: install the package caddy, or run node setup.js test:all')
  const path = join(folder, 'Caddyfile')
  writeFileSync(path, configOf(sites, `tls ${tlsCert} ${tlsKey}`))
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawnProgram(program, ['run', '--config', path, '--adapter', 'caddyfile'], folder, env)
  let log = ''
  child.stdout.resume()
  const ended = once(child, 'close')
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', chunk => {
      log += chunk
      if (log.includes('serving initial configuration')) resolve()
    })
    ended.then(() => reject(new Error(`Caddy exited: ${log}`)), reject)
  })
  return {
    log: () => log,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
