/** Dependencies of the UI method handlers. */
import type { ActiveSite, GatewaysView, UiMethod, UiMethods } from '../../messages.ts'
import type { Collectibles } from '../collectibles/collectibles.ts'
import type { Download } from '../collectibles/download.ts'
import type { Descriptors } from '../descriptors/descriptors.ts'
import type { SeenPrices } from '../fees/seen-prices.ts'
import type { ScryptCost } from '../keys/keystore.ts'
import type { CommonPasswords } from '../keys/password.ts'
import type { WordLists } from '../keys/phrase.ts'
import type { KdfCost } from '../keys/vault-file.ts'
import type { Names } from '../names/names.ts'
import type { KnownContracts } from '../networks/known-contracts.ts'
import type { ListedNetworks } from '../networks/networks.ts'
import type { Chain } from '../networks/node.ts'
import type { Desk } from '../requests/desk.ts'
import type { OpenSocket } from '../session/relay-client.ts'
import type { Filters } from '../sites/filters.ts'
import type { SiteChoice, SiteEvent } from '../sites/sites.ts'
import type { Cell } from '../storage/store.ts'
import type { ListedTokens } from '../tokens/listed-tokens.ts'
import type { Looking } from '../tokens/looking.ts'
import type { Watching } from '../transactions/watching.ts'
import type { Prices } from '../values/prices.ts'
import type { Follower, SerialQueue } from '../work/turns.ts'
import type { Drafts } from './drafts.ts'
import type { Opening } from './opening.ts'
import type { UiStateParts } from './state.ts'

export type Ui = { [M in UiMethod]: (params: UiMethods[M][0]) => Promise<UiMethods[M][1]> }

export type UiParts = UiStateParts & {
  /** Runs a method. If the method changes the stored state, resolves once the pages have the new state. */
  after: Follower['after']
  desk: Desk
  /** Shows the pending requests to the user. */
  showWindow(): Promise<void>
  /** Called when the user does something in the wallet. */
  acted(): Promise<void>
  chain: Chain
  names: Names
  /** Runs an unlock, and the work that follows it. */
  opening: Opening
  /** Deletes all stored data except the vault, and the related browser state. */
  erase(): Promise<void>
  /** Drops cached settings. Called for a new wallet. */
  forgetSettings(): Promise<void>
  drafts: Drafts
  descriptors: Descriptors
  /** Reads a file from a host that the user named. */
  download: Download
  collectibles: Collectibles
  gateways: Cell<GatewaysView>
  /** True if the user switched on notices outside the wallet's pages. */
  notifies: Cell<boolean>
  filters: Filters
  seenPrices: SeenPrices
  watching: Watching
  /** Serializes signing with a nonce. */
  sendInTurn: SerialQueue
  wordLists: WordLists
  commonPasswords: CommonPasswords
  /** The catalogue of networks. */
  listedNetworks: ListedNetworks
  knownContracts: KnownContracts
  prices: Prices
  listedTokens: ListedTokens
  looking: Looking
  openSocket: OpenSocket
  /** Key derivation costs of backups and of exported keystores. */
  kdfCost: KdfCost
  keystoreCost: ScryptCost
  now(): number
  /** The wallet's version. */
  version: string
  announce(event: SiteEvent): void
  /** Revokes a site's permissions, and rejects its requests for an account. */
  disconnect(origin: string): Promise<void>
  /** Returns the page in the active tab. Null if it is one of the wallet's own pages. */
  activeSite(): Promise<ActiveSite | null>
  /** Called with all site settings after a change. The change is complete once this resolves. */
  onChoices(choices: readonly SiteChoice[]): Promise<void>
}
