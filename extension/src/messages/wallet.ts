/** What the wallet's pages see of accounts, networks, tokens and sites. */

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
  /** Whether a site had it added, so that it can be removed. */
  added: boolean
}

/** Somebody whom the person knows by name. */
export type ContactView = { address: string; name: string }

/**
 * An interface of a contract that the person added, or of any contract where `place` is null. A function reads as in
 * `transfer(address to, uint256 value)`.
 */
export type InterfaceView = {
  id: string
  name: string
  place: { chainId: number; address: string } | null
  functions: readonly string[]
}

/** A token that the person wants to see. */
export type AssetView = { chainId: number; address: string; symbol: string; decimals: number }

/** A token, or a collection of items of one kind or of several. */
export type AssetKind = 'erc20' | 'erc721' | 'erc1155'

/** What an account holds of a listed token, in its smallest unit; null where its contract did not say. */
export type TokenHolding = { address: string; amount: string | null }
/** A collection that the person wants to see, as it calls itself, and how many items of it the account holds. */
export type CollectionView = { address: string; kind: AssetKind; name: string | null; items: string | null }

/** What an account holds besides the currency. `offered` counts what was found and not decided upon. */
export type HoldingsView = {
  tokens: readonly TokenHolding[]
  collections: readonly CollectionView[]
  offered: number
}

/** What was last heard of an account, and when, ms since 1970: `wei` is 0x hex, null where nothing was. */
export type KeptView = Pick<HoldingsView, 'tokens' | 'collections'> & { wei: string | null; at: number | null }

/**
 * A token that was found, or whose address was given. `symbol` is its contract's own word, cut short and as hostile as it
 * may be, `isPlain` says whether it is one short line that can be seen, and `imitates` is what it can be taken for.
 */
export type FoundTokenView = {
  address: string
  kind: AssetKind
  symbol: string | null
  decimals: number | null
  held: string | null
  isPlain: boolean
  imitates: string | null
  choice: 'shown' | 'hidden' | null
}

/** How far the blocks of a network were searched: both ends among them. `ended` says that all of them were. */
export type SearchView = { from: number; to: number; ended: boolean }

/** What is moved: the network's currency, a token, an item of a collection, or some of a kind. */
export type TokenKind = 'native' | 'erc20' | 'erc721' | 'erc1155'

/** A token as its contract describes itself, null where it did not say; `balance` is what the account holds of it. */
export type TokenView = {
  address: string
  symbol: string | null
  decimals: number | null
  balance: string | null
  /** Whether the person has it in the wallet's list. */
  listed: boolean
  /** How much of it there is. */
  supply?: string
  /** What spenders that are to get more may take already. */
  allowed?: readonly { spender: string; amount: string }[]
  /** A collection of ERC-721, whose allowances name an item. */
  collection?: true
}

/** What is allowed: units of a token, one item, a whole collection, or units of a token through the Permit2 contract. */
export type AllowanceKind = 'erc20' | 'item' | 'collection' | 'permit2'

/**
 * What somebody may take of an account. `amount` is in the token's smallest unit, null for all there is and will be;
 * `item` is the number of an item. `block` is the last in which it was logged, made at `since`; `until` is the end, where
 * there is one; both in ms since 1970. `revocation` is the hash of the transaction on its way that takes it back.
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
 * `refusal` is what the node said when it would not look further; `isCut` says that the search stopped since it had found so
 * many. The list is complete from the first block of `search` on.
 */
export type AllowancesView = {
  allowances: readonly AllowanceView[]
  search: SearchView
  refusal: string | null
  isCut: boolean
}

/** The wallet's own forms that are kept while they are half filled in, and their fields. */
export type FormName = 'send' | 'addContact' | 'addNetwork' | 'pairing'
export type Draft = Readonly<Record<string, string>>

/** Work that takes seconds. `progress` goes from 0 to 1. */
export type TaskName = 'discoverAccounts' | 'importKeystore' | 'exportKeystore' | 'findTokens' | 'findAllowances'
export type TaskView = { name: TaskName; progress: number }

/**
 * What a site was given and how it was set: `accounts` that it sees, `chainId` of its own network or null where it follows
 * the wallet, how the provider shows itself to it, and whether it may read from a node in a private network before it is
 * connected.
 */
export type SiteView = {
  origin: string
  since: number | null
  accounts: readonly string[]
  chainId: number | null
  asMetaMask: boolean
  asEthereum: boolean
  readsLocalNode: boolean
}

/** A recovery phrase as it is typed, in any language of BIP-39. Without a `path`, m/44'/60'/0'/0. */
export type PhraseInput = { phrase: string; passphrase?: string; path?: string }

/** What a wallet is made of: a phrase, or one private key of 64 hex digits. */
export type KeyInput = PhraseInput | { privateKey: string }
/** What a keystore file says of itself. `cost` is scrypt's N or the rounds of PBKDF2. */
export type KeystoreView = { kdf: 'scrypt' | 'pbkdf2'; cost: number; address: string | null }

/**
 * A network as the person describes it; `rpcUrl` and `explorerUrl` may be empty. `prefix` names its methods, and
 * `signedMessageName` stands in `\x19<name> Signed Message:`.
 */
export type NetworkInput = {
  chainId: number
  title: string
  symbol: string
  rpcUrl: string
  explorerUrl: string
  prefix: string
  signedMessageName: string
  testnet: boolean
}
