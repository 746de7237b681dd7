/** The methods of the wallet's own pages, and the port that carries them. */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import type { Finding, TransactionEffect } from './review.ts'
import type { SafetyView, UiState } from './state.ts'
import type {
  ActivityView,
  FeeChoice,
  FeesView,
  FeeView,
  RemovalInput,
  ReplacementView,
  RevocationInput,
  SendInput,
  TransactionEdit,
} from './transactions.ts'
import type {
  AccountView,
  AllowancesView,
  Draft,
  FormName,
  FoundTokenView,
  HoldingsView,
  InterfaceView,
  KeptView,
  KeyInput,
  KeystoreView,
  NetworkInput,
  PhraseInput,
  SearchView,
  SiteView,
} from './wallet.ts'

/** As PAGE_PORT, for the pages of the wallet. */
export const UI_PORT = 'ui'

/** Why an approved request could not be carried out, as whoever asked is told it. */
export type FailureView = RpcErrorObject

/** With the password, where the person wants it asked for before every transaction. */
type Confirmed = { password?: string }

/** The methods of the wallet's own pages: name → params and result. No page of the web can reach them. */
export type UiMethods = {
  getState: [params: null, result: UiState]
  /** The wallet's own version. */
  getVersion: [params: null, result: string]
  /** Throws -32602 for a password that `createVault` would refuse, before a phrase is written down. */
  checkPassword: [params: { password: string }, result: null]
  newPhrase: [params: { words: 12 | 15 | 18 | 21 | 24 }, result: string]
  checkPhrase: [params: { phrase: string }, result: { valid: boolean; unknownWords: readonly number[] }]
  /** The address of a key, or of the first account of a phrase. */
  addressOf: [params: KeyInput, result: string]
  describeKeystore: [params: { keystore: string }, result: KeystoreView]
  /** The private key in a keystore file, for a wallet that is not there yet. */
  openKeystore: [params: { keystore: string; password: string }, result: string]
  createVault: [params: KeyInput & { password: string; name?: string }, result: null]
  unlock: [params: { password: string }, result: null]
  lock: [params: null, result: null]
  changePassword: [params: { password: string; newPassword: string }, result: null]
  /** Deletes all keys and what sites were given. Only a phrase or a file outside can bring them back. */
  removeWallet: [params: { password: string }, result: null]
  restoreVault: [params: { password: string }, result: null]
  /** The person has seen which values were reset. */
  dismissReset: [params: null, result: null]
  setAutoLock: [params: { minutes: number }, result: null]
  /** Changes what is named. */
  setSafety: [params: Partial<SafetyView> & Confirmed, result: null]
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
  getDraft: [params: { form: FormName }, result: Draft | null]
  /** Keeps a form that is half filled in until the wallet locks, never one with a secret; null forgets it. */
  keepDraft: [params: { form: FormName; draft: Draft | null }, result: null]
  /** Names an address, or names it anew. */
  saveContact: [params: { address: string; name: string }, result: null]
  removeContact: [params: { address: string }, result: null]
  /** What is known of an address that something may be sent to, and the address in EIP-55 case. */
  reviewAddress: [
    params: { address: string; chainId: number },
    result: { address: string; findings: readonly Finding[] },
  ]
  selectAccount: [params: { address: string }, result: null]
  selectNetwork: [params: { chainId: number }, result: null]
  /** Asks a node which chain it is of, and how far that has come. */
  probeRpc: [params: { rpcUrl: string }, result: { chainId: number; block: string }]
  describeNetwork: [params: { chainId: number }, result: NetworkInput]
  /** Adds a network, or changes one that was added, when its node reports its chain id. */
  saveNetwork: [params: NetworkInput, result: null]
  setRpcUrl: [params: { chainId: number; rpcUrl: string }, result: null]
  getInterfaces: [params: null, result: readonly InterfaceView[]]
  /** `abi` is the JSON that compilers write. Calls of its functions are read by it from then on. */
  addInterface: [params: Pick<InterfaceView, 'name' | 'place'> & { abi: string }, result: InterfaceView]
  removeInterface: [params: { id: string }, result: null]
  getBalance: [params: { address: string; chainId: number }, result: string]
  /** What is held of the tokens and collections that the person wants to see. Asks the node only after a new block. */
  getHoldings: [params: { address: string; chainId: number }, result: HoldingsView]
  /** What was last heard, without asking anybody; null where nothing was. */
  getKept: [params: { address: string; chainId: number }, result: KeptView | null]
  /** What was found and is held still, those to decide upon first; `search` is null before the first one. */
  getFoundTokens: [
    params: { address: string; chainId: number },
    result: { tokens: readonly FoundTokenView[]; search: SearchView | null },
  ]
  /** Looks for transfers to the account; `refusal` is what the node said when it would not look further. */
  findTokens: [
    params: { address: string; chainId: number },
    result: { search: SearchView | null; refusal: string | null },
  ]
  /** What the contract at an address says of itself. Throws -32602 where it is neither token nor collection. */
  describeToken: [params: { token: string; address: string; chainId: number }, result: FoundTokenView]
  /** Shows a token or a collection. `symbol` and `decimals` count where the contract does not say them. */
  showToken: [
    params: { token: string; address: string; chainId: number; symbol?: string; decimals?: number },
    result: null,
  ]
  hideToken: [params: { token: string; address: string; chainId: number }, result: null]
  /** Looks at the chain first, also for what was signed and not sent. Newest first. */
  getActivity: [params: { address: string; chainId: number }, result: readonly ActivityView[]]
  getFees: [params: { chainId: number }, result: FeesView]
  /**
   * Changes an open request, which is reviewed anew: its effect and findings are in the state afterwards. With nothing to
   * change, a request whose node could not be asked is tried again. Throws 4901, and leaves it as it was.
   */
  editTransaction: [params: { id: string } & TransactionEdit, result: null]
  /** What a transfer would do, with all that it would be signed with: pass `fees` and `gas` of the effect back. */
  reviewSend: [
    params: SendInput,
    result: { effect: TransactionEffect & { fee: FeeView }; findings: readonly Finding[] },
  ]
  /** Signs and sends a transfer. `id` is the page's own: the same id again is the same transfer. Results in the hash. */
  sendOwn: [params: SendInput & { id: string } & Confirmed, result: string]
  /** What it costs now to take the place of a transaction, and at least. */
  readReplacement: [params: { hash: string; purpose: 'speedUp' | 'cancel' }, result: ReplacementView]
  /**
   * Looks through the logs of the network's node for what the account has allowed others, the newest blocks first, or
   * those before a block; reads what of it still stands, the newest first.
   */
  findAllowances: [params: { address: string; chainId: number; before?: number }, result: AllowancesView]
  /** As `reviewSend`, for taking back an allowance. */
  reviewRevocation: [
    params: RevocationInput,
    result: { effect: TransactionEffect & { fee: FeeView }; findings: readonly Finding[] },
  ]
  /** As `sendOwn`. */
  revokeAllowance: [params: RevocationInput & { id: string } & Confirmed, result: string]
  /**
   * Sends the same again for more; without `fees` for as much as it takes now. Cancelling sends nothing to the account
   * itself under the same nonce. Both result in the hash of the new one.
   */
  speedUp: [params: { hash: string; fees?: FeeChoice } & Confirmed, result: string]
  cancelTransaction: [params: { hash: string; fees?: FeeChoice } & Confirmed, result: string]
  /** Sends what was only signed. */
  sendSigned: [params: { hash: string }, result: string]
  /** Gives up what was only signed: its nonce is free again. Who has the bytes can still send them until it is used. */
  letLapse: [params: { hash: string }, result: null]
  /** The address whose code the account runs (EIP-7702); null where there is none. */
  getDelegation: [params: { address: string; chainId: number }, result: string | null]
  reviewRemoval: [params: RemovalInput, result: { fee: FeeView; fees: FeeChoice; findings: readonly Finding[] }]
  /** Ends a delegation. `id` as in `sendOwn`. Results in the hash. */
  removeDelegation: [params: RemovalInput & { id: string } & Confirmed, result: string]
  /** Forgets all that was done on a network. */
  resetChain: [params: { chainId: number }, result: null]
  /**
   * `revision` is that of the request as it was shown: what has changed since is not approved, and what is blocked never
   * is. Results in the error where what was approved failed within two seconds, and in null otherwise. Asking again is safe:
   * a decision counts once.
   */
  decide: [
    params: { id: string; accounts?: readonly string[] } & (
      | ({ approve: true; revision: number } & Confirmed)
      | { approve: false; revision?: number }
    ),
    result: FailureView | null,
  ]
  /** Has an allowance that is asked for be of this amount, in the token's smallest unit; null for what the site asked. */
  setAllowance: [params: { id: string; amount: string | null }, result: null]
  rejectAll: [params: null, result: null]
  /** The origin of the site in front of which the page is open, if there is one. */
  getActiveSite: [params: null, result: string | null]
  setSiteNetwork: [params: { origin: string; chainId: number | null }, result: null]
  /** Changes what is named. */
  setSiteChoice: [
    params: Pick<SiteView, 'origin'> & Partial<Pick<SiteView, 'asMetaMask' | 'asEthereum' | 'readsLocalNode'>>,
    result: null,
  ]
  /** Puts an account first among those that the site sees, also one that it does not see yet. */
  useAccount: [params: { origin: string; address: string }, result: null]
  /** Listens to a site again whose requests were rejected several times. */
  allowRequests: [params: { origin: string }, result: null]
  disconnectSite: [params: { origin: string }, result: null]
  /** Takes away a network that a site had added. */
  removeNetwork: [params: { chainId: number }, result: null]
  showRequests: [params: null, result: null]
  /** What a pairing link says: until when it is good, ms since 1970, and the relay that it names, if it does. */
  readPairing: [
    params: { uri: string },
    result: { expiresAt: number | null; relay: string | null; isRelayKnown: boolean },
  ]
  /** Takes a link; without a relay, at the first one. A link that waits already is moved there. Asking again is safe. */
  pair: [params: { uri: string; relay?: string }, result: { id: string }]
  /** Has a link wait at another relay. */
  movePairing: [params: { id: string; relay: string }, result: null]
  forgetPairing: [params: { id: string }, result: null]
  /**
   * Without networks or methods, all that are offered; without an end, the usual one, which the peer may put off. Asking again
   * is safe: it results in the session that was made.
   */
  approveProposal: [
    params: {
      id: string
      accounts: readonly string[]
      chainIds?: readonly number[]
      methods?: readonly string[]
      endsAt?: number
    },
    result: { id: string },
  ]
  /** A proposal that is gone is left alone. */
  rejectProposal: [params: { id: string }, result: null]
  updateSession: [
    params: {
      id: string
      accounts?: readonly string[]
      chainIds?: readonly number[]
      methods?: readonly string[]
    },
    result: null,
  ]
  extendSession: [params: { id: string }, result: null]
  pingSession: [params: { id: string }, result: null]
  disconnectSession: [params: { id: string }, result: null]
  disconnectAllSessions: [params: null, result: null]
  /** Resolves with how long the relay took to answer, in ms. */
  testRelay: [params: { url: string }, result: { latency: number }]
  /** Tries it first; one that does not answer is not added. */
  addRelay: [params: { url: string }, result: { url: string; latency: number }]
  removeRelay: [params: { url: string }, result: null]
  setDefaultRelay: [params: { url: string }, result: null]
  retryRelays: [params: null, result: null]
}

export type UiMethod = keyof UiMethods

/** wallet page → background and back, over a port named UI_PORT. The state is pushed whenever it changes. */
export type UiCall = { [M in UiMethod]: { id: number; method: M; params: UiMethods[M][0] } }[UiMethod]
export type ToUi = { id: number; result: unknown } | { id: number; error: RpcErrorObject } | { state: UiState }
