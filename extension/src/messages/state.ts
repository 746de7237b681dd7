/** State shown by the wallet's pages. */
import type { LookView } from './looks.ts'
import type { Effect, Finding, PartyView } from './review.ts'
import type { RemoteView, SessionPeerView } from './sessions.ts'
import type { ActivityView } from './transactions.ts'
import type {
  AccountView,
  AssetView,
  ContactView,
  NetworkListView,
  NetworkView,
  PhraseView,
  SiteView,
  TaskView,
} from './wallet.ts'

/**
 * A pending request. `id` is the key under which it is stored. `top` is the top-level origin if the site is in a
 * cross-site frame, otherwise null. `since` is when the site was first connected, in Unix ms.
 */
export type RequestView = {
  id: string
  origin: string
  /** True for the peer of a remote session. */
  isRemote: boolean
  top: string | null
  /** The panel that shows the request. Absent if the approval window shows it. */
  panel?: number
  method: string
  /** Number of changes since the request arrived. */
  revision: number
  since: number | null
  createdAt: number
  account: AccountView | null
  network: NetworkView
  effect: Effect
  findings: readonly Finding[]
  /** Addresses in the request. */
  parties: readonly PartyView[]
  /** The other network to which the request sends something, if the catalogue has it. */
  destination: string | null
  /** The peer, or null for a site. */
  peer: SessionPeerView | null
}

/** The part of a pending request that is shown while the wallet is locked. */
export type WaitingView = Pick<RequestView, 'id' | 'origin' | 'isRemote' | 'top' | 'panel' | 'since' | 'network'>

/**
 * A muted site: its requests are rejected until the time `until` (Unix ms), because the user rejected several. `asked`
 * is true if a request was rejected meanwhile. `peer` is the name that a remote peer claims, null for a site.
 */
export type MutedView = { origin: string; until: number; asked: boolean; peer: string | null }

/**
 * Safety settings: whether to require the password before every transaction, to allow signing unreadable data, to allow
 * sign-ins for another site, and to query the gateways of off-chain ENS names.
 */
export type SafetyView = {
  asksPassword: boolean
  allowsUnreadable: boolean
  allowsForeignSignIn: boolean
  readsOffchainNames: boolean
}

/** State of a wallet page. While the wallet is locked, accounts and requests are empty and only `waiting` is filled. */
export type UiState = {
  phase: 'empty' | 'locked' | 'unlocked'
  /** While the wallet is locked, the credential ids (base64url) of the passkeys that unlock it; otherwise empty. */
  passkeys: readonly string[]
  accounts: readonly AccountView[]
  hiddenAccounts: readonly AccountView[]
  phrases: readonly PhraseView[]
  /** Sorted by name. */
  contacts: readonly ContactView[]
  selected: string | null
  networks: readonly NetworkView[]
  networkList: NetworkListView
  chainId: number
  assets: readonly AssetView[]
  sites: readonly SiteView[]
  requests: readonly RequestView[]
  /** The open requests, and those that the unlock has approved and that have no outcome yet. */
  waiting: readonly WaitingView[]
  muted: readonly MutedView[]
  /**
   * Latest activity, newest first, for the wallet's own account and network, and for the account and network of each
   * connected site.
   */
  activity: readonly ActivityView[]
  /** The wallet's own looks for tokens, for the same accounts and networks. */
  looks: readonly LookView[]
  /** Number of transfers to all accounts that the wallet found by itself and the user has not seen. */
  unseen: number
  /** False if the user switched the wallet's own looks off. */
  looksByItself: boolean
  /** Reset chains, whose old activity `resetChain` clears. */
  resetChains: readonly number[]
  remote: RemoteView
  autoLockMinutes: number
  safety: SafetyView
  /** Code of the currency in which values are shown; null if they are not. */
  currency: string | null
  /**
   * Names of stored values that were reset because another program changed or deleted them. Kept until the user
   * dismisses them.
   */
  reset: readonly string[]
  /** Names of stored values that cannot be read. Their parts of the state are empty. */
  unreadable: readonly string[]
  task: TaskView | null
}
