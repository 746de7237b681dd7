/** Accounts, networks, tokens and sites as shown by the wallet's pages. */
import type { NodeUse } from '@heliograph/shared/network'
import type { ChecksView } from './checks.ts'
import type { ItemView } from './collectibles.ts'

/** Origin of an account's key: derived from a phrase, imported, or not in the wallet (watch only). */
export type AccountKind = 'phrase' | 'privateKey' | 'watchOnly'

/** An account. `phraseId` is null unless it is derived from a phrase. */
export type AccountView = { address: string; name: string; kind: AccountKind; phraseId: string | null }
export type PhraseView = { id: string; words: number; path: string; hasPassphrase: boolean }
export type NetworkView = {
  chainId: number
  title: string
  symbol: string
  decimals: number
  testnet: boolean
  /** The preferred node first. */
  rpcUrls: readonly string[]
  /** The nodes that have a use of their own, by URL. Absent while the wallet is locked. */
  nodeUses?: Readonly<Record<string, NodeUse>>
  /** True if the user or a site added the network, so it can be removed. */
  added: boolean
  /** Set if it is built in or comes from the wallet's catalogue. Only such a network may have a bundled mark. */
  listed?: true
}

/** A node that anyone may use, and the name of its operator. */
export type PublicNode = { url: string; operator: string }

/** A network of the catalogue that comes with the wallet. */
export type ListedNetwork = {
  chainId: number
  title: string
  symbol: string
  explorerUrl: string | null
  testnet: boolean
  nodes: readonly PublicNode[]
}

/** Order of networks in lists; `added` is the order in which they were added. */
export type NetworkOrder = 'added' | 'name' | 'chainId'
/** How lists show the networks. `hidden` are chain ids. */
export type NetworkListView = { order: NetworkOrder; hidden: readonly number[] }

/**
 * An entry of the address book. `ens` is the ENS name that it was saved with, and the network on which the name
 * resolved to the address.
 */
export type ContactView = { address: string; name: string; ens?: { name: string; chainId: number } }

/**
 * A normalized ENS name. `isOfEthereum` is true if the name has no address for the network and its Ethereum address is
 * used instead. `hosts` are the gateways that were queried, if the name is stored off-chain. `checked` is set if the user
 * chose a node for comparing.
 */
export type NameView = { name: string; isOfEthereum: boolean; hosts: readonly string[]; checked?: ChecksView }

/**
 * The payment that a pasted link asks for. `amount` is 0x hex in the smallest unit, null if the link has none. `token`
 * is the token's address, null for the network's currency.
 */
export type AskedPaymentView = { token: string | null; amount: string | null }

/**
 * A contract interface that the user added, for any contract if `place` is null. Functions are written like
 * `transfer(address to, uint256 value)`.
 */
export type InterfaceView = {
  id: string
  name: string
  place: { chainId: number; address: string } | null
  functions: readonly string[]
}

/**
 * A descriptor (ERC-7730) that the user loaded. `source` is the file or host that it came from, `owner` the author that
 * it names, `formats` the functions or types that it explains. `addedAt` is Unix time in ms.
 */
export type DescriptorView = {
  id: string
  source: string
  owner: string | null
  addedAt: number
  contracts: readonly { chainId: number; address: string }[]
  formats: readonly string[]
}

/**
 * A token in the user's list. `isFound` is set if the wallet added it because an account holds it; lists then show it only
 * for accounts that hold it.
 */
export type AssetView = { chainId: number; address: string; symbol: string; decimals: number; isFound?: true }

/** A token, or a collection with one or several items per id. */
export type AssetKind = 'erc20' | 'erc721' | 'erc1155'

/** Balance of a listed token in its smallest unit. Null if the contract did not respond. */
export type TokenHolding = { address: string; amount: string | null }
/**
 * A listed collection under its own name. `items` is the number of items held; null if the contract did not respond.
 * `held` are the held items whose ids are known.
 */
export type CollectionView = {
  address: string
  kind: AssetKind
  name: string | null
  items: string | null
  held: readonly ItemView[]
}

/**
 * Balances other than the native currency. `offered` is the number of found tokens that the user has not decided on.
 */
export type HoldingsView = {
  tokens: readonly TokenHolding[]
  collections: readonly CollectionView[]
  offered: number
}

/** Last known balances of an account, and when they were read (Unix ms). `wei` is 0x hex; null if unknown. */
export type KeptView = Pick<HoldingsView, 'tokens' | 'collections'> & { wei: string | null; at: number | null }

/** Why a found token is probably spam: its name has a site's address, promises something, or imitates another token. */
export type SpamMark = 'site' | 'offer' | 'imitation'

/**
 * A token that was found, or entered by address. `symbol` comes from its contract, truncated but otherwise untrusted.
 * `isPlain` means that it is a single, short, visible line. `imitates` is a known token that it resembles. `spam` is why
 * it is probably spam, null if it is not, or if the user chose to show it.
 */
export type FoundTokenView = {
  address: string
  kind: AssetKind
  symbol: string | null
  decimals: number | null
  held: string | null
  isPlain: boolean
  imitates: string | null
  spam: SpamMark | null
  choice: 'shown' | 'hidden' | null
}

/** Searched range of blocks, both ends included. `ended` is true if the whole chain was searched. */
export type SearchView = { from: number; to: number; ended: boolean }

/** Kind of an asset: the native currency, a token, a unique item, or several items with one id. */
export type TokenKind = 'native' | 'erc20' | 'erc721' | 'erc1155'

/** Token metadata from its contract, null if missing. `balance` is the account's balance. */
export type TokenView = {
  address: string
  symbol: string | null
  decimals: number | null
  balance: string | null
  /** True if it is in the user's list. */
  listed: boolean
  /** Total supply. */
  supply?: string
  /** Current allowances of spenders in the request. */
  allowed?: readonly { spender: string; amount: string }[]
  /** True for an ERC-721 collection, where an allowance is for one item. */
  collection?: true
}

/** Address of the Permit2 contract, the same on all networks. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/**
 * Address of Simple7702Account, the contract whose code runs batches in one transaction (EIP-7702), the same on all
 * networks. `docs/batches.md` has its source and its audits.
 */
export const BATCH_DELEGATE = '0x4Cd241E8d1510e30b2076397afc7508Ae59C66c9'

/** Scope of an allowance: units of a token, one item, a whole collection, or units of a token through Permit2. */
export type AllowanceKind = 'erc20' | 'item' | 'collection' | 'permit2'

/**
 * An allowance. `amount` is in the token's smallest unit, null if unlimited. `item` is the id of an item. `block` is
 * the block of the allowance's latest log, and `since` that block's time. `until` is the expiry, if any; times are Unix
 * ms. `revocation` is the hash of the pending transaction that revokes the allowance.
 */
export type AllowanceView = {
  kind: AllowanceKind
  token: TokenView
  spender: string
  amount: string | null
  item: string | null
  until: number | null
  block: string
  since: number | null
  revocation?: string
}

/**
 * Found allowances. `refusal` is the node's error if it refused to search further. `isCut` means that the search
 * stopped because it found too many. The list is complete from the first block of `search` on.
 */
export type AllowancesView = {
  allowances: readonly AllowanceView[]
  search: SearchView
  refusal: string | null
  isCut: boolean
}

/** Forms of the wallet that are kept while partly filled, and their fields. */
export type FormName = 'send' | 'addContact' | 'addNetwork' | 'pairing'
export type Draft = Readonly<Record<string, string>>

/** A task that takes seconds. `progress` is from 0 to 1. */
export type TaskName =
  | 'discoverAccounts'
  | 'importKeystore'
  | 'exportKeystore'
  | 'findTokens'
  | 'findIncoming'
  | 'findAllowances'
export type TaskView = { name: TaskName; progress: number }

/** The kinds of requests that need a decision. */
export type AskedKind =
  | 'connect'
  | 'message'
  | 'typedData'
  | 'transaction'
  | 'calls'
  | 'watchAsset'
  | 'switchChain'
  | 'addChain'

/**
 * The last request of a site: its kind, when it arrived (Unix ms), and how it ended. A `failed` request was approved
 * but could not be carried out. A `refused` request was never shown, because the user's settings forbid it.
 */
export type AskedView = {
  kind: AskedKind
  at: number
  outcome: 'approved' | 'rejected' | 'expired' | 'failed' | 'refused'
}

/**
 * An allowance that was granted by a site's transaction, according to the wallet's records. `amount` is in the token's
 * smallest unit, null if unlimited; for one item of a collection, it is the item's id. `at` is Unix ms.
 */
export type GivenAllowanceView = {
  chainId: number
  account: string
  kind: Exclude<AllowanceKind, 'item'>
  token: string
  spender: string
  amount: string | null
  at: number
}

/**
 * A site's permissions and settings: its `accounts`, its own network's `chainId` (null if it follows the wallet), and
 * how the provider presents itself. Also whether it may read from a node in a private network before it is connected,
 * and whether its requests are rejected without being shown. `subscriptions` is the number of its active subscriptions.
 */
export type SiteView = {
  origin: string
  since: number | null
  accounts: readonly string[]
  chainId: number | null
  asMetaMask: boolean
  asEthereum: boolean
  readsLocalNode: boolean
  isBlocked: boolean
  subscriptions: number
  asked: AskedView | null
}

/** The page in the active tab. `origin` is null unless it is a web page. */
export type ActiveSite = { origin: string | null }

/** A recovery phrase in any BIP-39 language. `path` defaults to m/44'/60'/0'/0. */
export type PhraseInput = { phrase: string; passphrase?: string; path?: string }

/** Key material for a wallet: a phrase, or a private key of 64 hex digits. */
export type KeyInput = PhraseInput | { privateKey: string }
/** Parameters of a keystore file. `cost` is scrypt's N or the rounds of PBKDF2. */
export type KeystoreView = { kdf: 'scrypt' | 'pbkdf2'; cost: number; address: string | null }

/**
 * A network as entered by the user. `explorerUrl` may be empty. `prefix` is its method prefix, and `signedMessageName`
 * is used in `\x19<name> Signed Message:`.
 */
export type NetworkInput = {
  chainId: number
  title: string
  symbol: string
  rpcUrls: readonly string[]
  explorerUrl: string
  prefix: string
  signedMessageName: string
  testnet: boolean
}

/** A passkey that unlocks the wallet: its credential id (base64url), and when it was added, in Unix ms. */
export type PasskeyView = { id: string; name: string; createdAt: number }

/** A passkey's credential id (base64url), and the output of its PRF for this wallet, 32 bytes in hex. */
export type PasskeyOutput = { id: string; output: string }
