/** A terminal for one document: an empty folder, ports that no other test uses, and stand-ins for some programs. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import type { Block } from './blocks.ts'
import { openShell, type Shell } from './shell.ts'

/** Ports in the documents, and the variables that change them. */
const PORTS = { '8545': 'CHAIN_PORT', '8080': 'RELAY_PORT', '8081': 'BRIDGE_PORT', '8082': 'DEMO_PORT' }

export type Terminal = {
  shell: Shell
  /** Returns a block with the ports, addresses and folders of this run instead of the documented ones. */
  adapted(block: Block): Block
  /** The relay's `host:port`. */
  relay: string
  home: string
  /** Returns the calls of the stand-ins, one per line. */
  calls(): string[]
}

export type TerminalOptions = {
  /** Folder of the terminal. It is created. */
  home: string
  env: NodeJS.ProcessEnv
  /** Programs that need root or another machine. Each stand-in records how it was called, and exits with 0. */
  standIns: readonly string[]
  /** Absolute folders in the document, which are below `home` here. */
  folders: readonly string[]
}

export const openTerminal = async ({ home, env, standIns, folders }: TerminalOptions): Promise<Terminal> => {
  const programs = join(home, 'stand-ins')
  const noted = join(home, 'calls')
  mkdirSync(programs, { recursive: true })
  writeFileSync(noted, '')
  for (const program of standIns)
    writeFileSync(join(programs, program), `#!/bin/sh\necho "${program} $*" >> "${noted}"\n`, { mode: 0o755 })

  const entries = Object.entries(PORTS)
  const ports = new Map<string, number>()
  for (const [port] of entries) ports.set(port, await freePort())
  const relay = `127.0.0.1:${ports.get('8080')}`
  const adapt = (text: string) =>
    folders
      .reduce((adapted, path) => adapted.replaceAll(path, `${home}${path}`), text)
      .replace(/127\.0\.0\.1:(\d+)/g, (address, port) => (ports.has(port) ? `127.0.0.1:${ports.get(port)}` : address))
      // The documented relay on another machine is replaced by the relay that runs here.
      .replaceAll('https://relay.example.org', `http://${relay}`)

  const { PATH = '', HOME = home, CHROMIUM_PATH } = process.env
  const shell = openShell(home, {
    ...env,
    ...Object.fromEntries(entries.map(([port, variable]) => [variable, `${ports.get(port)}`])),
    ...(CHROMIUM_PATH && { CHROMIUM_PATH }),
    PATH: [programs, dirname(process.execPath), PATH].join(delimiter),
    HOME,
    FORCE_COLOR: '0',
  })
  return {
    shell,
    adapted: ({ kind, script, output }) => ({ kind, script: adapt(script), output: output.map(adapt) }),
    relay,
    home,
    calls: () => readFileSync(noted, 'utf8').split('\n').filter(Boolean),
  }
}
