/** What the handlers of the wallet's own pages work with. */
import type { TransactionEdit, UiMethod, UiMethods } from '../messages.ts'
import type { Approvals } from './approvals.ts'
import type { Chain } from './chain.ts'
import type { Drafts } from './drafts.ts'
import type { ScryptCost } from './keys/keystore.ts'
import type { CommonPasswords } from './keys/password.ts'
import type { WordLists } from './keys/phrase.ts'
import type { OpenSocket } from './session/relay-client.ts'
import type { SiteChoice } from './site-choices.ts'
import type { SiteEvent } from './sites.ts'
import type { SeenPrices } from './transactions/seen-prices.ts'
import type { Watching } from './transactions/watching.ts'
import type { Turns } from './turns.ts'
import type { UiStateParts } from './ui-state.ts'
import type { Opening } from './verified.ts'

export type Ui = { [M in UiMethod]: (params: UiMethods[M][0]) => Promise<UiMethods[M][1]> }

export type UiParts = UiStateParts & {
  approvals: Approvals
  /** Brings the open requests in front of the person. */
  open(): Promise<void>
  /** The person did something in the wallet. */
  acted(): Promise<void>
  chain: Chain
  /** Runs what unlocks the wallet. */
  opening: Opening
  /** Deletes everything that the wallet keeps beside the vault, and what the browser does for it. */
  erase(): Promise<void>
  /** Forgets the settings in memory: a new wallet has its own. */
  forgetSettings(): Promise<void>
  drafts: Drafts
  seenPrices: SeenPrices
  watching: Watching
  /** Signing that takes a nonce goes one at a time. */
  sendInTurn: Turns
  /** Reviews an open request anew with what the person settled of it. */
  editRequest(id: string, edit: TransactionEdit): Promise<void>
  wordLists: WordLists
  commonPasswords: CommonPasswords
  openSocket: OpenSocket
  /** What a keystore of ours costs to open. */
  keystoreCost: ScryptCost
  now(): number
  /** The wallet's own version. */
  version: string
  announce(event: SiteEvent): void
  /** Takes back what a site was given. */
  disconnect(origin: string): Promise<void>
  /** The origin of the site in front of the person; null where there is none. */
  activeSite(): Promise<string | null>
  /** Called with all choices after one has changed. */
  onChoices(choices: readonly SiteChoice[]): void
  /** Pushes the state to every open page of the wallet. */
  publish(): Promise<void>
}
