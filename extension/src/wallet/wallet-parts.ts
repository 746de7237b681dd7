/** What the wallet core needs from outside, and what it offers. */
import type { Network } from '@heliograph/shared/network'
import type { UiState } from '../messages.ts'
import type { ApprovalWindow } from './attention.ts'
import type { Chain } from './chain.ts'
import type { SiteRequest } from './intake.ts'
import type { ScryptCost } from './keys/keystore.ts'
import type { CommonPasswords } from './keys/password.ts'
import type { WordLists } from './keys/phrase.ts'
import type { KdfCost } from './keys/vault-file.ts'
import type { PublicSuffixes } from './registrable-domain.ts'
import type { Sockets } from './session/relay-client.ts'
import type { SiteChoice } from './site-choices.ts'
import type { SiteEvent } from './sites.ts'
import type { Stores } from './store.ts'
import type { Tend } from './tending.ts'
import type { Ui } from './ui-parts.ts'

export type WalletParts = {
  store: Stores
  /** The networks of a fresh wallet; the first is selected. */
  networks: readonly Network[]
  chain?: Chain
  approvals: ApprovalWindow
  clock: { now(): number }
  /** The words of BIP-39, which are too much to carry along. */
  wordLists: WordLists
  /** The passwords that are refused, which are as many. */
  commonPasswords: CommonPasswords
  /** The Public Suffix List. */
  publicSuffixes: PublicSuffixes
  /** The sockets to relays. */
  sockets: Sockets
  /** The relays of a fresh wallet; the first is taken where nothing else is said. */
  relays?: readonly string[]
  /** Has `ui.lock` called at this time, ms since 1970, and no longer at the time that was named before; null: never. */
  lockAt(time: number | null): void
  /** The wallet's own version. */
  version: string
  /** What opening a new vault costs, and a keystore. */
  kdfCost?: KdfCost
  keystoreCost?: ScryptCost
  /** Whether a page that asked is still there. */
  isThere?(page: string): Promise<boolean>
  /** The origin of the site in front of the person; null where there is none. */
  activeSite?(): Promise<string | null>
  /** Called with all that the person chose for sites, after one has changed. */
  onChoices?(choices: readonly SiteChoice[]): void
  onState?(state: UiState): void
  onSiteEvent?(event: SiteEvent): void
  /** Called when there is something new to look after: `tend` should be called soon, and as often as it says. */
  onTending?(): void
}

export type Wallet = {
  /**
   * A request of a site, as EIP-1193 means it. `id` is the site's own name for it: the same origin and id is the same
   * request, however often it is sent. Resolves with the result; throws RpcError.
   */
  request(origin: string, request: SiteRequest): Promise<unknown>
  /** Rejects those of a site's requests that still wait: the page that sent them is gone. */
  abandon(origin: string, ids: readonly string[]): Promise<void>
  /** Carries out what was decided before the worker was stopped, and locks if that is overdue. */
  resume(): Promise<void>
  /** The person does something: the time until the wallet locks itself begins anew. */
  used(): Promise<void>
  /** The person opened the wallet: requests may take the focus again. */
  opened(): Promise<void>
  /** The browser is back from sleep, or has a network again: relays that were lost are tried at once. */
  wake(): void
  tend: Tend
  ui: Ui
}
