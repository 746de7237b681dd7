/** An extension whose content script is controlled by the page, as if the page had compromised its renderer. */
import { appendFile, cp, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REGISTRY, SETTINGS } from '../../extension/src/wallet/storage/registry.ts'
import { root } from './root.ts'

/** Copies the built extension and gives the page control of the content script. The caller removes the copy. */
export const compromise = async (built: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-compromised-'))
  await cp(built, folder, { recursive: true })
  await appendFile(join(folder, 'content.js'), `\n;${await readFile(join(root, 'test/support/attacker.js'), 'utf8')}`)
  return folder
}

export type Attack = { attempts: number; received: string }

/** The number of attempted writes and removals in the storage, and how many of them were not refused. */
export type Changes = { tried: number; done: number }

export const NO_CHANGES: Changes = { tried: 0, done: 0 }

/** Adds the changes of an attack to the earlier ones. */
export const countChanges = ({ tried, done }: Changes, { received }: Attack): Changes => {
  const all: [string, unknown][] = JSON.parse(received)
  const changes = all.filter(([what]) => /^(?:local|session|sync|managed) (?:set |remove |clear$)/.test(what))
  const refused = changes.filter(([, value]) => String(value).startsWith('refused'))
  return { tried: tried + changes.length, done: done + changes.length - refused.length }
}

/** Summary of an attack, for the figures of docs/security-testing.md. */
export const attackText = (browser: string, attempts: number, { tried, done }: Changes, begun: number): string =>
  `Compromised renderer in ${browser}: ${attempts} attempts in ${Math.round((Date.now() - begun) / 1_000)} s, ` +
  `${done} of ${tried} writes and removals were not refused`

export type AttackOptions = {
  /** The account that the attacker wants, and a site that is connected to it. */
  account: string
  connected: string
  password: string
  /** `writes`: the attack overwrites values. `destroys`: the attack removes values. */
  writes: boolean
  destroys: boolean
  /** Names of values that the attack leaves alone. */
  spares: readonly string[]
  /** Values to write back, by name. If given, the attack touches only these. */
  copies?: Readonly<Record<string, unknown>>
}

/** The number of ports that are opened and closed at once. */
const FLOOD = 100

/** The attacker's knowledge: all storage keys of the wallet, and the methods of its pages. */
export const attackOf = ({ account, connected, password, writes, destroys, spares, copies }: AttackOptions) => ({
  account,
  connected,
  writes,
  destroys,
  flood: FLOOD,
  copies: copies ?? {},
  names: (copies ? Object.keys(copies) : [...REGISTRY.local, ...SETTINGS, ...REGISTRY.session]).filter(
    name => !spares.includes(name),
  ),
  methods: [
    ['eth_accounts', []],
    ['wallet_getPermissions', []],
    ['personal_sign', ['0x1234', account]],
    ['getState', null],
    ['unlock', { password }],
    ['revealPhrase', { phraseId: '0', password }],
    ['revealPrivateKey', { address: account, password }],
    ['setSafety', { asksPassword: false, password }],
    ['selectNetwork', { chainId: 8217 }],
    ['setRpcUrls', { chainId: 1, rpcUrls: ['https://evil.example'] }],
    ['decide', { id: '0', approve: true }],
    ['changePassword', { password, newPassword: 'evil evil evil evil' }],
    ['removeWallet', { password }],
    ['lock', null],
  ],
})
