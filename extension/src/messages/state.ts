/** Everything that a page of the wallet draws. */
import type { Effect, Finding } from './review.ts'
import type { RemoteView, RequesterView } from './sessions.ts'
import type { ActivityView } from './transactions.ts'
import type { AccountView, AssetView, ContactView, NetworkView, PhraseView, SiteView, TaskView } from './wallet.ts'

/**
 * One request that waits for the person. `top` is the origin of the site that shows the asking one in a frame, or null;
 * `since` is when the site was first connected, ms since 1970.
 */
export type RequestView = {
  id: string
  origin: string
  top: string | null
  method: string
  /** How often it was changed since it came. */
  revision: number
  since: number | null
  createdAt: number
  account: AccountView | null
  network: NetworkView
  effect: Effect
  findings: readonly Finding[]
  /** Null for a site. */
  requester: RequesterView | null
}

/** What is told of a request while the wallet is locked: who asks, and on which network. */
export type WaitingView = Pick<RequestView, 'id' | 'origin' | 'top' | 'since' | 'network'>

/**
 * A site that is not listened to until then, ms since 1970, since its requests were rejected several times. `asked` says
 * whether something of it was refused meanwhile; `peer` is what a remote peer calls itself, null for a site.
 */
export type MutedView = { origin: string; until: number; asked: boolean; peer: string | null }

/**
 * Whether the password is asked for before every transaction, whether data that cannot be read may be signed, and whether a
 * site may ask for a sign-in to another.
 */
export type SafetyView = { asksPassword: boolean; allowsUnreadable: boolean; allowsForeignSignIn: boolean }

/** Everything a wallet page draws. While locked, accounts and requests are empty and `waiting` is all that is told. */
export type UiState = {
  phase: 'empty' | 'locked' | 'unlocked'
  accounts: readonly AccountView[]
  hiddenAccounts: readonly AccountView[]
  phrases: readonly PhraseView[]
  /** By name. */
  contacts: readonly ContactView[]
  selected: string | null
  networks: readonly NetworkView[]
  chainId: number
  assets: readonly AssetView[]
  sites: readonly SiteView[]
  requests: readonly RequestView[]
  waiting: readonly WaitingView[]
  muted: readonly MutedView[]
  /** What the selected account did on the selected network, newest first, as far as a page shows it at once. */
  activity: readonly ActivityView[]
  /** Networks that began anew under their old id: `resetChain` forgets what was done on the one before. */
  restarted: readonly number[]
  remote: RemoteView
  autoLockMinutes: number
  safety: SafetyView
  /** Names of stored values that could not be verified and were set aside, until the person has dismissed that. */
  reset: readonly string[]
  task: TaskView | null
}
