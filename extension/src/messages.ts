/**
 * Every message between the contexts of the extension: page, content script, background, and the wallet's own pages.
 * Types and names only. What the wallet shows is plain JSON here: quantities are 0x hex, nothing is a class.
 */
import type { RpcErrorObject } from '@heliograph/shared/errors'

/** Port names. A port is served by the table of its name and by no other. */
export const PAGE_PORT = 'page'
export const UI_PORT = 'ui'

/** `source` of the two directions of window.postMessage between the page script and the content script. */
export const FROM_PAGE = 'heliograph:page'
export const FROM_WALLET = 'heliograph:wallet'

/** page → background. `id` is random and made in the page; a repeat with the same id is the same request. */
export type PageRequest = { id: string; method: string; params?: unknown }

/** background → page: an answer, an event, or the notice that the worker went away and open requests must be sent again. */
export type PageAnswer = { id: string; result: unknown } | { id: string; error: RpcErrorObject }
export type PageEvent = { event: 'connect' | 'chainChanged' | 'accountsChanged' | 'message'; data: unknown }
export type PageNotice = { notice: 'resend' }
export type ToPage = PageAnswer | PageEvent | PageNotice

/** Where the key of an account is: made from a phrase, kept by itself, or not in the wallet, which then only watches it. */
export type AccountKind = 'phrase' | 'privateKey' | 'watchOnly'

/** What a wallet page sees of an account, of a phrase and of a network. `phraseId` is null but for those of a phrase. */
export type AccountView = { address: string; name: string; kind: AccountKind; phraseId: string | null }
export type PhraseView = { id: string; words: number; path: string; hasPassphrase: boolean }
export type NetworkView = {
  chainId: number
  title: string
  symbol: string
  decimals: number
  testnet: boolean
  rpcUrl: string | null
}

/** How much a finding weighs. The highest level owns the risk band. */
export type RiskLevel = 'none' | 'caution' | 'danger' | 'blocked'

/** What a review can find. The words for each are the pages' own, in the person's language. */
export type FindingName =
  | 'approvalForAll'
  | 'createsContract'
  | 'hiddenCharacters'
  | 'insufficientFunds'
  | 'likelyToFail'
  | 'malformedCall'
  | 'movesTokens'
  | 'notText'
  | 'unknownCall'
  | 'unknownFormat'
  | 'unlimitedAllowance'

/** `values` are filled into the words: counts, amounts in wei, or a reason as it came from outside. */
export type Finding = { level: Exclude<RiskLevel, 'none'>; name: FindingName; values: readonly string[] }

/** A decoded value of typed data or calldata, in the order in which it is signed. */
export type ValueView = { name: string; type: string; value: string | readonly ValueView[] }

/** The fee of a transaction: what it should cost now and the most it can cost, in wei. */
export type FeeView = { gas: string; expected: string; atMost: string }

/** What will happen on Approve. Strings from the site are verbatim: the page that draws them makes them harmless. */
export type Effect =
  | { kind: 'unlock' }
  | { kind: 'connect'; accounts: readonly AccountView[] }
  | { kind: 'message'; bytes: string; text: string | null; signedAs: string }
  | { kind: 'typedData'; domain: readonly ValueView[]; primaryType: string; message: ValueView; json: string }
  | {
      kind: 'transaction'
      broadcast: boolean
      to: string | null
      value: string
      data: string
      nonce: string | null
      call: { name: string; signature: string; args: readonly ValueView[] } | null
      fee: FeeView
    }

/** One request that waits for the person. `since` is when the site was first connected, ms since 1970. */
export type RequestView = {
  id: string
  origin: string
  method: string
  since: number | null
  createdAt: number
  account: AccountView | null
  network: NetworkView
  effect: Effect
  findings: readonly Finding[]
}

/** What is told of a request while the wallet is locked: who asks, and on which network. */
export type WaitingView = Pick<RequestView, 'id' | 'origin' | 'since' | 'network'>

/** Work that takes seconds. `progress` goes from 0 to 1. */
export type TaskName = 'discoverAccounts' | 'importKeystore' | 'exportKeystore'
export type TaskView = { name: TaskName; progress: number }

/** Everything a wallet page draws. While locked, accounts and requests are empty and `waiting` is all that is told. */
export type UiState = {
  phase: 'empty' | 'locked' | 'unlocked'
  accounts: readonly AccountView[]
  hiddenAccounts: readonly AccountView[]
  phrases: readonly PhraseView[]
  selected: string | null
  networks: readonly NetworkView[]
  chainId: number
  requests: readonly RequestView[]
  waiting: readonly WaitingView[]
  autoLockMinutes: number
  task: TaskView | null
}

/** A recovery phrase as it is typed, in any language of BIP-39. Without a `path`, m/44'/60'/0'/0. */
export type PhraseInput = { phrase: string; passphrase?: string; path?: string }

/** The methods of the wallet's own pages: name → params and result. No page of the web can reach them. */
export type UiMethods = {
  getState: [params: null, result: UiState]
  newPhrase: [params: { words: 12 | 15 | 18 | 21 | 24 }, result: string]
  checkPhrase: [params: { phrase: string }, result: { valid: boolean; unknownWords: readonly number[] }]
  createVault: [params: PhraseInput & { password: string }, result: null]
  unlock: [params: { password: string }, result: null]
  lock: [params: null, result: null]
  changePassword: [params: { password: string; newPassword: string }, result: null]
  restoreVault: [params: { password: string }, result: null]
  setAutoLock: [params: { minutes: number }, result: null]
  addAccount: [params: { name: string; phraseId?: string }, result: AccountView]
  discoverAccounts: [params: { phraseId: string }, result: readonly AccountView[]]
  importPhrase: [params: PhraseInput & { name: string }, result: AccountView]
  importPrivateKey: [params: { privateKey: string; name: string }, result: AccountView]
  importKeystore: [params: { keystore: string; password: string; name: string }, result: AccountView]
  addWatchOnly: [params: { address: string; name: string }, result: AccountView]
  renameAccount: [params: { address: string; name: string }, result: null]
  hideAccount: [params: { address: string }, result: null]
  showAccount: [params: { address: string }, result: null]
  removeAccount: [params: { address: string; password: string }, result: null]
  removePhrase: [params: { phraseId: string; password: string }, result: null]
  revealPhrase: [params: { phraseId: string; password: string }, result: { phrase: string; passphrase: string }]
  revealPrivateKey: [params: { address: string; password: string }, result: string]
  exportKeystore: [
    params: { address: string; password: string; keystorePassword: string },
    result: { fileName: string; keystore: string },
  ]
  cancelTask: [params: null, result: null]
  selectAccount: [params: { address: string }, result: null]
  selectNetwork: [params: { chainId: number }, result: null]
  setRpcUrl: [params: { chainId: number; rpcUrl: string }, result: null]
  getBalance: [params: { address: string; chainId: number }, result: string]
  decide: [params: { id: string; approve: boolean; accounts?: readonly string[] }, result: null]
  rejectAll: [params: null, result: null]
  showRequests: [params: null, result: null]
}

export type UiMethod = keyof UiMethods

/** wallet page → background and back, over a port named UI_PORT. The state is pushed whenever it changes. */
export type UiCall = { [M in UiMethod]: { id: number; method: M; params: UiMethods[M][0] } }[UiMethod]
export type ToUi = { id: number; result: unknown } | { id: number; error: RpcErrorObject } | { state: UiState }
