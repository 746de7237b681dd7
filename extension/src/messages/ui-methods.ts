/** Methods of the wallet's own pages, and their port. */
import type { NodeUse } from '@heliograph/shared/network'
import type { OpenedBackup } from './backup.ts'
import type { ChecksView } from './checks.ts'
import type { GatewaysView, ItemDetails } from './collectibles.ts'
import type { FailureView, ReasonView } from './errors.ts'
import type { FeeChoice, FeesView, FeeView, ReplacementView, TransactionEdit } from './fees.ts'
import type { EntryReview, ImportEntry, ImportResult, PhraseAccountView } from './imports.ts'
import type { AccountBalances, ActivityFilter, ActivityPage, CoinBalance } from './overview.ts'
import type { Finding, TransactionEffect } from './review.ts'
import type { SafetyView, UiState } from './state.ts'
import type { ActivityView, RemovalInput, RevocationInput, SendInput } from './transactions.ts'
import type { PricesView } from './values.ts'
import type {
  AccountView,
  ActiveSite,
  AllowancesView,
  AskedPaymentView,
  ContactView,
  DescriptorView,
  Draft,
  FormName,
  FoundTokenView,
  GivenAllowanceView,
  HoldingsView,
  InterfaceView,
  KeptView,
  KeyInput,
  KeystoreView,
  ListedNetwork,
  NameView,
  NetworkInput,
  NetworkOrder,
  PasskeyOutput,
  PasskeyView,
  PhraseInput,
  SearchView,
  SiteView,
} from './wallet.ts'

/** Port name of wallet pages, like PAGE_PORT for web pages. */
export const UI_PORT = 'ui'

/** The password, if the user chose to be asked for it before every transaction. */
type Confirmed = { password?: string }

/** Methods of wallet pages: name → params and result. Web pages cannot call them. */
export type UiMethods = {
  getState: [params: null, result: UiState]
  /** The wallet's version. */
  getVersion: [params: null, result: string]
  /** Throws -32602 for a password that `createVault` would refuse. Lets a page check it before it shows the phrase. */
  checkPassword: [params: { password: string }, result: null]
  newPhrase: [params: { words: 12 | 15 | 18 | 21 | 24 }, result: string]
  checkPhrase: [params: { phrase: string }, result: { valid: boolean; unknownWords: readonly number[] }]
  /** Returns the BIP-39 word list of the language that has the most of the phrase's words; English without words. */
  getWordList: [params: { phrase: string }, result: readonly string[]]
  /** Returns the address of a private key, or of a phrase's first account. */
  addressOf: [params: KeyInput, result: string]
  describeKeystore: [params: { keystore: string }, result: KeystoreView]
  /** Decrypts a keystore file before a wallet exists. Returns the private key. */
  openKeystore: [params: { keystore: string; password: string }, result: string]
  createVault: [params: KeyInput & { password: string; name?: string }, result: null]
  unlock: [params: { password: string }, result: null]
  /** Throws 4100 if the passkey does not open the wallet. The password still does. */
  unlockWithPasskey: [params: PasskeyOutput, result: null]
  lock: [params: null, result: null]
  changePassword: [params: { password: string; newPassword: string }, result: null]
  /** Throws 4100 if the password is wrong. */
  confirmPassword: [params: { password: string }, result: null]
  /** Oldest first. */
  getPasskeys: [params: null, result: readonly PasskeyView[]]
  addPasskey: [params: PasskeyOutput & { name: string; password: string }, result: null]
  /** Encrypts the vault with a new key, so that the passkey no longer opens it. The other passkeys and the password do. */
  removePasskey: [params: { id: string; password: string }, result: null]
  /** Deletes all keys and site permissions. Only a phrase or a file outside the wallet can restore them. */
  removeWallet: [params: { password: string }, result: null]
  restoreVault: [params: { password: string }, result: null]
  /** Clears the list of reset values, which the user has seen. */
  dismissReset: [params: null, result: null]
  setAutoLock: [params: { minutes: number }, result: null]
  /** Changes the given settings. */
  setSafety: [params: Partial<SafetyView> & Confirmed, result: null]
  addAccount: [params: { name: string; phraseId?: string }, result: AccountView]
  discoverAccounts: [params: { phraseId: string }, result: readonly AccountView[]]
  /** Returns `count` accounts of a phrase, starting at index `from`. Queries no node. */
  getPhraseAccounts: [params: { phraseId: string; from: number; count: number }, result: readonly PhraseAccountView[]]
  /** Queries the selected network's node for which of the addresses have been used. */
  readUsed: [params: { addresses: readonly string[] }, result: readonly boolean[]]
  /** Adds the accounts of a phrase with these indexes. Existing ones are not changed. */
  addAccounts: [params: { phraseId: string; indexes: readonly number[] }, result: readonly AccountView[]]
  importPhrase: [params: PhraseInput & { name: string }, result: AccountView]
  importPrivateKey: [params: { privateKey: string; name: string }, result: AccountView]
  importKeystore: [params: { keystore: string; password: string; name: string }, result: AccountView]
  addWatchOnly: [params: { address: string; name: string }, result: AccountView]
  /** Reviews entries as `importEntries` would add them. Contacts no node and stores nothing. */
  reviewImport: [params: { entries: readonly ImportEntry[] }, result: readonly EntryReview[]]
  /**
   * Adds the new entries, and replaces what conflicts with them. A node's entry is added only if the node then reports
   * the entry's chain id; a backup's nodes are added without a query. Contacts no other nodes. Idempotent.
   */
  importEntries: [params: { entries: readonly ImportEntry[] } & Confirmed, result: ImportResult]
  /**
   * Returns a backup file, sealed with `password`. It contains phrases and private keys only if `walletPassword` is
   * given. Throws VaultError if that is wrong, and the errors of `checkPassword`.
   */
  saveBackup: [params: { password: string; walletPassword?: string }, result: { fileName: string; file: string }]
  /** Checks a backup file before its password is known. Throws if it cannot be opened. */
  describeBackup: [params: { file: string }, result: null]
  /** Opens a backup file. Stores nothing, and works before there is a wallet. */
  openBackup: [params: { file: string; password: string }, result: OpenedBackup]
  renameAccount: [params: { address: string; name: string }, result: null]
  hideAccount: [params: { address: string }, result: null]
  showAccount: [params: { address: string }, result: null]
  /** Moves a visible account to the place `to`, from 0, among the visible ones. Sites keep the order of their accounts. */
  moveAccount: [params: { address: string; to: number }, result: null]
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
  /** Keeps a partly filled form until the wallet locks. It must not hold a secret. Null drops it. */
  keepDraft: [params: { form: FormName; draft: Draft | null }, result: null]
  /** Adds a contact or changes its name. Without `ens`, a contact keeps its ENS name. */
  saveContact: [params: ContactView, result: null]
  removeContact: [params: { address: string }, result: null]
  /**
   * Checks a pasted recipient address, or resolves an ENS name. Returns the EIP-55 form, findings, the name, and the
   * payment that a pasted link requests. Throws for a name that has no address or cannot be looked up, and for an
   * address of another network. `account` is the account on whose behalf nodes are asked.
   */
  reviewAddress: [
    params: { address: string; chainId: number; account?: string },
    result: { address: string; findings: readonly Finding[]; name: NameView | null; payment: AskedPaymentView | null },
  ]
  /**
   * Returns the primary ENS name of an address if the name resolves back to it, with findings; null if there is none.
   */
  nameOf: [params: { address: string }, result: { name: string; findings: readonly Finding[] } | null]
  /** Selects the wallet's own account. Sites keep theirs. */
  selectAccount: [params: { address: string }, result: null]
  /** Selects the wallet's own network. Sites without their own network follow. */
  selectNetwork: [params: { chainId: number }, result: null]
  /** Reads a node's chain id and latest block. */
  probeRpc: [params: { rpcUrl: string }, result: { chainId: number; block: string }]
  /** Returns the catalogue of networks that comes with the wallet. */
  getListedNetworks: [params: null, result: readonly ListedNetwork[]]
  /** Returns the networks that `usePublicNodes` sets, each with the nodes that it uses. Contacts no node. */
  getPublicNodes: [params: null, result: readonly ListedNetwork[]]
  /**
   * Sets public nodes for the networks of `getPublicNodes` that have no node, and adds the missing networks. Uses the
   * nodes that report the right chain id. Returns the titles of the networks without such a node.
   */
  usePublicNodes: [params: null, result: readonly string[]]
  /** Adds a network of the catalogue, without a node. */
  addListedNetwork: [params: { chainId: number }, result: null]
  setNetworkOrder: [params: { order: NetworkOrder }, result: null]
  /** Hides a network in lists. Sites can still use it. */
  setNetworkHidden: [params: { chainId: number; hidden: boolean }, result: null]
  describeNetwork: [params: { chainId: number }, result: NetworkInput]
  /** Adds or changes a network, if its node reports its chain id. */
  saveNetwork: [params: NetworkInput, result: null]
  /** Sets a network's nodes, the preferred one first. Checks the chain id of new ones first. */
  setRpcUrls: [params: { chainId: number; rpcUrls: readonly string[] }, result: null]
  /**
   * Sets what a node is used for. Throws -32602 for the first node, and for accounts without a node to read from, 4100
   * for accounts that are not in the wallet.
   */
  setNodeUse: [params: { chainId: number; rpcUrl: string; use: NodeUse }, result: null]
  /**
   * Compares the network's nodes without naming an account: the newest block that both have, and a proof of an address
   * that nobody owns. Null if no node is chosen for comparing.
   */
  getNodeChecks: [params: { chainId: number }, result: ChecksView | null]
  getInterfaces: [params: null, result: readonly InterfaceView[]]
  /**
   * Adds an ABI for decoding calls. `abi` is JSON as written by compilers and block explorers, also inside their build
   * files, or a human-readable ABI. `leftOut` is set if some functions could not be read: how many, and why the first
   * one failed.
   */
  addInterface: [
    params: Pick<InterfaceView, 'name' | 'place'> & { abi: string },
    result: InterfaceView & { leftOut?: { count: number; first: ReasonView } },
  ]
  removeInterface: [params: { id: string }, result: null]
  /** Newest first. */
  getDescriptors: [params: null, result: readonly DescriptorView[]]
  /** Adds the descriptors in a file's text, all or none. Returns the number of new ones. */
  addDescriptors: [params: { json: string; fileName: string }, result: number]
  /** Downloads a file once from an https URL and adds its descriptors. Contacts no other host. */
  downloadDescriptors: [params: { url: string }, result: number]
  removeDescriptor: [params: { id: string }, result: null]
  getBalance: [params: { address: string; chainId: number }, result: string]
  /** Returns balances of the tokens and collections in the user's list. Queries the node only after a new block. */
  getHoldings: [params: { address: string; chainId: number }, result: HoldingsView]
  /** Returns the last known balances without querying the node, or null. */
  getKept: [params: { address: string; chainId: number }, result: KeptView | null]
  /** Returns found tokens that are still held, undecided ones first. `search` is null before the first search. */
  getFoundTokens: [
    params: { address: string; chainId: number },
    result: { tokens: readonly FoundTokenView[]; search: SearchView | null },
  ]
  /** Searches for transfers to the account. `refusal` is the node's error if it refused to search further. */
  findTokens: [
    params: { address: string; chainId: number },
    result: { search: SearchView | null; refusal: string | null },
  ]
  /** Switches the wallet's own looks for tokens and collectibles on or off. */
  setLooking: [params: { on: boolean }, result: null]
  /** Starts the wallet's own look at a network again. */
  lookAgain: [params: { chainId: number }, result: null]
  /** Records that the user has seen the transfers to an account. */
  seeIncoming: [params: { address: string; chainId: number }, result: null]
  /** Reads token metadata from a contract. Throws -32602 if it is neither a token nor a collection. */
  describeToken: [params: { token: string; address: string; chainId: number }, result: FoundTokenView]
  /** Adds a token or collection to the list. `symbol` and `decimals` are used if the contract does not provide them. */
  showToken: [
    params: { token: string; address: string; chainId: number; symbol?: string; decimals?: number },
    result: null,
  ]
  hideToken: [params: { token: string; address: string; chainId: number }, result: null]
  /**
   * Reads the metadata of an item of a shown collection. Throws -32602 for other collections, 4901 if the node is
   * unreachable.
   */
  describeItem: [params: { token: string; id: string; address: string; chainId: number }, result: ItemDetails]
  /**
   * Returns the metadata of an item of a shown collection if the wallet has read it since it started, otherwise null.
   * Queries nothing.
   */
  getCachedItem: [params: { token: string; id: string; address: string; chainId: number }, result: ItemDetails | null]
  getGateways: [params: null, result: GatewaysView]
  /** Sets or removes the gateways. Throws -32602 for anything but http and https URLs. */
  setGateways: [params: GatewaysView, result: null]
  /**
   * Updates the activity from the chain, then returns it, newest first. It includes signed transactions that were not
   * sent.
   */
  getActivity: [params: { address: string; chainId: number }, result: readonly ActivityView[]]
  /** Returns all accounts' balances on a network, in account order. Throws 4901 if the node is unreachable. */
  getBalances: [params: { chainId: number }, result: readonly AccountBalances[]]
  /**
   * Returns the balances in the network's currency of the first 200 visible accounts, in account order, with one request
   * or batch. Throws 4901 if the node is unreachable.
   */
  getCoinBalances: [params: { chainId: number }, result: readonly CoinBalance[]]
  /** Returns known activity of all accounts on all networks, after the first `skip` entries. Queries no node. */
  getAllActivity: [params: { filter: ActivityFilter; skip: number }, result: ActivityPage]
  /**
   * Searches a network's logs for transfers to the accounts, from the last searched block on. `refusal` is the node's
   * error if it refused to search further. Throws 4901 if the node is unreachable.
   */
  findIncoming: [params: { chainId: number }, result: { refusal: string | null }]
  /**
   * Returns prices on a network, read from price feeds through the network's node. Null while values are off. Throws
   * 4901.
   */
  getPrices: [params: { chainId: number }, result: PricesView | null]
  /** Returns the codes of the currencies whose feeds a chosen node can read, US dollars first. Queries no node. */
  getCurrencies: [params: null, result: readonly string[]]
  /** Sets the currency of values. Null switches values off. Throws -32602 for a currency that is not offered. */
  setCurrency: [params: { currency: string | null }, result: null]
  /** Returns true if notices outside the wallet's pages are on. The browser may still not allow them. */
  getNotifying: [params: null, result: boolean]
  setNotifying: [params: { on: boolean }, result: null]
  getFees: [params: { chainId: number }, result: FeesView]
  /**
   * Changes a pending request and reviews it again; the state then has its new effect and findings. Without changes,
   * retries a request whose node was unreachable. Throws 4901 and leaves the request unchanged if the node is
   * unreachable.
   */
  editTransaction: [params: { id: string } & TransactionEdit, result: null]
  /**
   * Reviews a transfer and fills in its missing fields. Pass `fees` and `gas` of the effect back to `sendOwn`. `name`
   * is the ENS name that resolved to the recipient.
   */
  reviewSend: [
    params: SendInput & { name?: NameView },
    result: { effect: TransactionEffect & { fee: FeeView }; findings: readonly Finding[] },
  ]
  /**
   * Signs and sends a transfer. Returns the hash. A call with the same `id`, which the page chooses, sends no second
   * transfer.
   */
  sendOwn: [params: SendInput & { id: string } & Confirmed, result: string]
  /** Current and minimum fees for replacing a transaction. */
  readReplacement: [params: { hash: string; purpose: 'speedUp' | 'cancel' }, result: ReplacementView]
  /**
   * Searches the node's logs for the account's approvals, from the newest block or from `before` backwards. Reads which of
   * them are still in effect, newest first.
   */
  findAllowances: [params: { address: string; chainId: number; before?: number }, result: AllowancesView]
  /** Like `reviewSend`, for revoking an allowance. */
  reviewRevocation: [
    params: RevocationInput,
    result: { effect: TransactionEffect & { fee: FeeView }; findings: readonly Finding[] },
  ]
  /** Like `sendOwn`. */
  revokeAllowance: [params: RevocationInput & { id: string } & Confirmed, result: string]
  /**
   * Replaces a pending transaction with the same one at higher fees, or, to cancel it, with an empty one to the account
   * itself. Uses the current minimum without `fees`. Returns the replacement's hash.
   */
  speedUp: [params: { hash: string; fees?: FeeChoice } & Confirmed, result: string]
  cancelTransaction: [params: { hash: string; fees?: FeeChoice } & Confirmed, result: string]
  /** Sends a transaction that was signed but not sent. */
  sendSigned: [params: { hash: string }, result: string]
  /** Discards a transaction that was signed but not sent, and frees its nonce. Anyone with the signed bytes can still send it. */
  discardSigned: [params: { hash: string }, result: null]
  /** The address whose code the account delegates to (EIP-7702), or null. */
  getDelegation: [params: { address: string; chainId: number }, result: string | null]
  reviewRemoval: [params: RemovalInput, result: { fee: FeeView; fees: FeeChoice; findings: readonly Finding[] }]
  /** Ends a delegation. `id` is as in `sendOwn`. Returns the hash. */
  removeDelegation: [params: RemovalInput & { id: string } & Confirmed, result: string]
  /** Clears the activity of a network. */
  resetChain: [params: { chainId: number }, result: null]
  /**
   * Approves or rejects a request. `revision` is the revision of the request as shown: a changed or blocked request is
   * not approved. Returns the error if the approved action failed within two seconds, otherwise null. Idempotent,
   * because a request is decided only once.
   */
  decide: [
    params: { id: string; accounts?: readonly string[] } & (
      | ({ approve: true; revision: number } & Confirmed)
      | { approve: false; revision?: number }
    ),
    result: FailureView | null,
  ]
  /** Limits a requested allowance to `amount` in the token's smallest unit. Null restores the requested amount. */
  setAllowance: [params: { id: string; amount: string | null }, result: null]
  /** Rejects the requests that a panel shows. With null, rejects all proposals and the approval window's requests. */
  rejectAll: [params: { panel: number } | null, result: null]
  /** Returns the page in the active tab; null if it is a page of the wallet itself. */
  getActiveSite: [params: null, result: ActiveSite | null]
  /** Sets a site's own network. With null, it follows the wallet. */
  setSiteNetwork: [params: { origin: string; chainId: number | null }, result: null]
  /** Changes the given settings. */
  setSiteChoice: [
    params: Pick<SiteView, 'origin'> &
      Partial<Pick<SiteView, 'asMetaMask' | 'asEthereum' | 'readsLocalNode' | 'isBlocked'>>,
    result: null,
  ]
  /** Makes an account the site's first one, and connects it if necessary. */
  useAccount: [params: { origin: string; address: string }, result: null]
  /** Hides an account from a site, and rejects the site's requests for it. Without an account, the site is disconnected. */
  withdrawAccount: [params: { origin: string; address: string }, result: null]
  /** Ends the subscriptions and filters of a site's pages. */
  endSubscriptions: [params: { origin: string }, result: null]
  /**
   * Returns the allowances granted by the site's transactions according to the wallet's records, newest first. Queries
   * no node.
   */
  getSiteAllowances: [params: { origin: string }, result: readonly GivenAllowanceView[]]
  /** Ends the mute of a site. */
  allowRequests: [params: { origin: string }, result: null]
  /**
   * Clears everything that the wallet knows about a site, and rejects its requests. On-chain allowances remain.
   * Idempotent.
   */
  disconnectSite: [params: { origin: string }, result: null]
  /** Removes a network that the user or a site added. */
  removeNetwork: [params: { chainId: number }, result: null]
  showRequests: [params: null, result: null]
  /** Decodes a pairing link. Returns its expiry in Unix ms, and the relay that it names, if any. */
  readPairing: [
    params: { uri: string },
    result: { expiresAt: number | null; relay: string | null; isRelayKnown: boolean },
  ]
  /**
   * Starts pairing, through the first relay by default. If the link is already pairing, moves it to `relay`.
   * Idempotent.
   */
  pair: [params: { uri: string; relay?: string }, result: { id: string }]
  /** Moves a pairing to another relay. */
  movePairing: [params: { id: string; relay: string }, result: null]
  forgetPairing: [params: { id: string }, result: null]
  /**
   * Approves a proposal. Without networks or methods, grants everything offered. Without an end, the session has the
   * default lifetime, which the peer may extend. Idempotent: a repeated call returns the same session.
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
  /** Rejects a proposal. Does nothing if the proposal no longer exists. */
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
  /** Resolves with the relay's response time in ms. */
  testRelay: [params: { url: string }, result: { latency: number }]
  /** Adds a relay if it responds to a test. */
  addRelay: [params: { url: string }, result: { url: string; latency: number }]
  removeRelay: [params: { url: string }, result: null]
  setDefaultRelay: [params: { url: string }, result: null]
  retryRelays: [params: null, result: null]
}

export type UiMethod = keyof UiMethods

/** Idempotent methods: a page sends such a call again if the worker stopped before responding. */
export const REPEATABLE: ReadonlySet<UiMethod> = new Set<UiMethod>([
  'approveProposal',
  'decide',
  'describeBackup',
  'disconnectSite',
  'forgetPairing',
  'movePairing',
  'openBackup',
  'pair',
  'readPairing',
  'rejectProposal',
])

/** A wallet page's connection to the background. Each reconnect makes a new one. */
export type UiPort = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onDisconnect(listener: () => void): void
}

/**
 * Messages between a wallet page and the background, over a port named UI_PORT. The state is pushed when a page
 * connects, and after each change.
 */
export type UiCall = { [M in UiMethod]: { id: number; method: M; params: UiMethods[M][0] } }[UiMethod]
export type ToUi =
  | { id: number; result: unknown }
  | { id: number; error: FailureView }
  /** Parts of the state that changed. The first message of a port has all of them. */
  | { state: Partial<UiState> }
  /** Instead of the state: the data on disk belongs to a newer version, and no method works. */
  | { refusal: FailureView }
