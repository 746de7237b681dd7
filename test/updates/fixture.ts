/** Data that a released version of the wallet wrote to disk, and what the user sees of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UiState } from '../../extension/src/messages.ts'

export type Fixture = {
  version: string
  /** Time of writing, in Unix milliseconds. Remote sessions expire some days later. */
  writtenAt: number
  password: string
  /** The connected site. */
  origin: string
  /** A text that the first account signed for the site, and the signature. */
  signed: { text: string; signature: string }
  kept: Kept
  /** Everything in `storage.local`. */
  storage: Record<string, unknown>
}

export const FOLDER = join(import.meta.dirname, 'fixtures')

/** Returns the part of the state that an update must keep, without times and without responses of nodes. */
export const keptOf = (state: UiState) => ({
  accounts: state.accounts,
  hiddenAccounts: state.hiddenAccounts,
  phrases: state.phrases.map(({ words, path, hasPassphrase }) => ({ words, path, hasPassphrase })),
  contacts: state.contacts,
  selected: state.selected,
  chainId: state.chainId,
  networks: state.networks.filter(({ added, rpcUrls }) => added || rpcUrls.length > 0),
  networkList: state.networkList,
  assets: state.assets,
  sites: state.sites,
  activity: state.activity.map(({ hash, chainId, account, origin, status }) => ({
    hash,
    chainId,
    account,
    origin,
    status,
  })),
  autoLockMinutes: state.autoLockMinutes,
  safety: state.safety,
  relays: state.remote.relays.map(({ url }) => url),
})

export type Kept = ReturnType<typeof keptOf> & {
  /** Names of the apps with which the wallet has a remote session. */
  peers: readonly string[]
}

export const peersOf = (state: UiState): string[] => state.remote.sessions.map(({ peer }) => peer.name)

/** Returns the fixtures of all released versions. */
export const fixtures = (): Fixture[] =>
  readdirSync(FOLDER)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
