/** Dependencies and interface of the wallet core. */
import type { Network } from '@heliograph/shared/network'
import type { ActiveSite, UiState } from '../messages.ts'
import type { Download } from './collectibles/download.ts'
import type { DrawPicture } from './collectibles/picture.ts'
import type { ScryptCost } from './keys/keystore.ts'
import type { CommonPasswords } from './keys/password.ts'
import type { WordLists } from './keys/phrase.ts'
import type { KdfCost } from './keys/vault-file.ts'
import type { ContractList } from './networks/known-contracts.ts'
import type { ListedNetworks } from './networks/listed.ts'
import type { Chain } from './networks/node.ts'
import type { Ui } from './pages/parts.ts'
import type { ApprovalWindow } from './requests/attention.ts'
import type { AskedCall } from './requests/draft.ts'
import type { Sockets } from './session/relay-client.ts'
import type { PublicSuffixes } from './sites/registrable-domain.ts'
import type { SiteChoice } from './sites/site-choices.ts'
import type { SiteEvent } from './sites/sites.ts'
import type { Stores } from './storage/store.ts'
import type { Tend } from './tending.ts'

export type WalletParts = {
  store: Stores
  /** Networks of a new wallet. The first is selected. */
  networks: readonly Network[]
  chain?: Chain
  /** Reads files from the person's gateways. */
  download?: Download
  drawPicture: DrawPicture
  approvalWindow: ApprovalWindow
  clock: { now(): number }
  /** The BIP-39 word lists, loaded on demand because of their size. */
  wordLists: WordLists
  /** Common passwords, which are refused. Loaded on demand. */
  commonPasswords: CommonPasswords
  publicSuffixes: PublicSuffixes
  /** The catalogue of networks, loaded on demand because of its size. */
  listedNetworks: ListedNetworks
  /** The catalogue of contracts, loaded on demand because of its size. Without it, none is known. */
  contractList?: ContractList
  sockets: Sockets
  /** Relays of a new wallet, none by default. The first is used unless another is chosen. */
  relays?: readonly string[]
  /** Schedules `ui.lock` for this time (Unix ms), replacing the previous one. Null cancels it. */
  lockAt(time: number | null): void
  /** The wallet's version. */
  version: string
  /** Key derivation cost of a new vault, and of keystores. */
  kdfCost?: KdfCost
  keystoreCost?: ScryptCost
  /** True if the page is still open. */
  isThere?(page: string): Promise<boolean>
  /** The page in the active tab. Null while that is a page of the wallet itself. */
  activeSite?(): Promise<ActiveSite | null>
  /** Called with all site settings after a change, which is complete once this resolves. */
  onChoices?(choices: readonly SiteChoice[]): Promise<void>
  onState?(state: UiState): void
  onSiteEvent?(event: SiteEvent): void
  /** Called when there is new background work: `tend` should be called soon, and then as it returns. */
  onTending?(): void
}

export type Wallet = {
  /**
   * Handles an EIP-1193 request. `id` is chosen by the site: a repeat with the same origin and id is the same
   * request. Resolves with the result; throws RpcError.
   */
  request(origin: string, request: AskedCall): Promise<unknown>
  /** Rejects pending requests of a closed page. */
  abandon(origin: string, ids: readonly string[]): Promise<void>
  /** Carries out decisions made before the worker stopped, and locks the wallet if that is overdue. */
  resume(): Promise<void>
  /** Called for user activity: restarts the auto-lock timer. */
  used(): Promise<void>
  /** Called when the person opens the wallet: requests may take focus again. */
  opened(): Promise<void>
  /** Called after sleep or when the computer is online again: reconnects to relays at once. */
  wake(): void
  /** True while an approval is being carried out or a long task runs. An update would end it. */
  isActing(): Promise<boolean>
  /** True while a request waits for a decision. Calls that are only answered do not count. */
  isAsked(): Promise<boolean>
  tend: Tend
  ui: Ui
}
