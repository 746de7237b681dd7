/** The wallet core's dependencies and interface. */
import type { Network } from '@heliograph/shared/network'
import type { ActiveSite, UiState } from '../messages.ts'
import type { Download } from './collectibles/download.ts'
import type { DrawPicture } from './collectibles/picture.ts'
import type { ScryptCost } from './keys/keystore.ts'
import type { CommonPasswords } from './keys/password.ts'
import type { WordLists } from './keys/phrase.ts'
import type { KdfCost } from './keys/vault-file.ts'
import type { ContractList } from './networks/known-contracts.ts'
import type { ListedNetworks } from './networks/networks.ts'
import type { Chain } from './networks/node.ts'
import type { ShowNotice } from './notices/notices.ts'
import type { Ui } from './pages/parts.ts'
import type { ApprovalWindow } from './requests/attention.ts'
import type { AskedCall } from './requests/draft.ts'
import type { Panels } from './requests/panels.ts'
import type { Sockets } from './session/relay-client.ts'
import type { PublicSuffixes } from './sites/registrable-domain.ts'
import type { SiteChoice, SiteEvent } from './sites/sites.ts'
import type { Stores } from './storage/store.ts'
import type { Tend } from './tending.ts'
import type { TokenList } from './tokens/listed-tokens.ts'
import type { FeedList } from './values/feeds.ts'

export type WalletParts = {
  store: Stores
  /** A new wallet's networks. The first one is selected. */
  networks: readonly Network[]
  chain?: Chain
  /** Reads files from the user's gateways. */
  download?: Download
  drawPicture: DrawPicture
  approvalWindow: ApprovalWindow
  /** The panels beside web pages. Without them, the approval window shows all requests. */
  panels?: Panels
  /** Shows notices outside the wallet's pages. */
  showNotice?: ShowNotice
  /** True if the user sees a window of the browser. */
  isInFront?(): Promise<boolean>
  clock: { now(): number }
  /** Loads a BIP-39 word list. Each list is loaded on demand because of its size. */
  wordLists: WordLists
  /** Loads the common passwords, which are refused. */
  commonPasswords: CommonPasswords
  publicSuffixes: PublicSuffixes
  /** The catalogue of networks, loaded on demand because of its size. */
  listedNetworks: ListedNetworks
  /** The catalogue of contracts, loaded on demand because of its size. Without it, no contract is known. */
  contractList?: ContractList
  /** The catalogue of price feeds, loaded on demand because of its size. Without it, nothing has a value. */
  feedList?: FeedList
  /** The catalogue of tokens, loaded on demand because of its size. Without it, the wallet looks for tokens only when asked. */
  tokenList?: TokenList
  sockets: Sockets
  /** A new wallet's relays, none by default. The first one is used unless the user chooses another. */
  relays?: readonly string[]
  /** Schedules `ui.lock` for this Unix time in ms, replacing the previous one. Null cancels it. */
  lockAt(time: number | null): void
  /** The wallet's version. */
  version: string
  /** Key derivation costs of a new vault, and of keystores. */
  kdfCost?: KdfCost
  keystoreCost?: ScryptCost
  /** True if the page is still open. */
  isThere?(page: string): Promise<boolean>
  /** Returns the page in the active tab. Null if it is one of the wallet's own pages. */
  activeSite?(): Promise<ActiveSite | null>
  /** Called with all site settings after a change. The change is complete once this resolves. */
  onChoices?(choices: readonly SiteChoice[]): Promise<void>
  onSiteEvent?(event: SiteEvent): void
}

export type Wallet = {
  /**
   * Handles an EIP-1193 request. The site chooses `id`: another call with the same origin and id is the same request.
   * Resolves with the result; throws RpcError.
   */
  request(origin: string, request: AskedCall): Promise<unknown>
  /** Rejects a closed page's pending requests. */
  abandon(origin: string, ids: readonly string[]): Promise<void>
  /** Executes decisions made before the worker stopped, and locks the wallet if that is overdue. */
  resume(): Promise<void>
  /** Called for user activity: restarts the auto-lock timer. */
  used(): Promise<void>
  /** Called when a panel was closed: rejects its requests, as if the user had closed the approval window. */
  panelClosed(): Promise<void>
  /** Called when the user opens the wallet: requests may take the focus again. */
  opened(): Promise<void>
  /** Called when the computer is online again, for example after sleep. Reconnects to relays immediately. */
  wake(): void
  /** Resolves to true while an approved request is executed or a long task runs. An update would interrupt it. */
  isActing(): Promise<boolean>
  /** Resolves to true while a request waits for a decision. Calls that need no decision do not count. */
  isAsked(): Promise<boolean>
  tend: Tend
  /** Calls the listener with each new state of the pages. Parts that have not changed keep their identity. */
  observeState(listener: (state: UiState) => void): void
  /**
   * Calls the listener when there is new background work. `tend` should be called soon, then after each delay that it
   * returns.
   */
  observeWork(listener: () => void): void
  ui: Ui
}
