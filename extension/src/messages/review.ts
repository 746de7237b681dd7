/** Effects of a request, and the findings of its review. */
import type { ChecksView } from './checks.ts'
import type { RevertView } from './errors.ts'
import type { FeeChoice, FeeView, NoncesView } from './fees.ts'
import type { AccountView, NetworkView, TokenKind, TokenView } from './wallet.ts'

/** Maximum bits of a limited token amount. Larger amounts count as unlimited, because nobody holds that many. */
export const UNLIMITED_BITS = 128n

/** Severity of a finding. The highest one sets the color of the risk band. */
export type RiskLevel = 'none' | 'caution' | 'danger' | 'blocked'

/** Names of findings. The UI has their texts in each language. */
export type FindingName =
  | 'activityMissing'
  | 'allowanceOfMost'
  | 'allowsNoCode'
  | 'approvalForAll'
  | 'assetsMissing'
  | 'behavesDifferently'
  | 'chainIdInSalt'
  | 'coinsToToken'
  | 'coinsToUnknown'
  | 'contactsMissing'
  | 'contractAsText'
  | 'createsContract'
  | 'delegateCall'
  | 'displacesSigned'
  | 'dustOrder'
  | 'emptyOrder'
  | 'excessiveFee'
  | 'explorersLeftOut'
  | 'feeOfBalance'
  | 'firstRecipient'
  | 'gainElsewhere'
  | 'gasPriceJumped'
  | 'gasTooLow'
  | 'givesControl'
  | 'handsOverAccount'
  | 'hashAsText'
  | 'hiddenCharacters'
  | 'highFee'
  | 'ignoredFields'
  | 'imitatedAsset'
  | 'imitatedName'
  | 'imitatedNetwork'
  | 'imitatedSite'
  | 'insufficientFunds'
  | 'itemAllowance'
  | 'knownContact'
  | 'knownContract'
  | 'knownSite'
  | 'l1FeeUnknown'
  | 'likelyToFail'
  | 'listedNetwork'
  | 'listedToken'
  | 'longMessage'
  | 'lookalikeAddress'
  | 'lookalikeName'
  | 'makesCalls'
  | 'malformedCall'
  | 'malformedSignIn'
  | 'manyCalls'
  | 'mixedScripts'
  | 'mostOfAsset'
  | 'movesTokens'
  | 'nameMoved'
  | 'nameOfEthereum'
  | 'namesakeAsset'
  | 'namesakeNetwork'
  | 'nestedTooDeep'
  | 'noChainId'
  | 'noContract'
  | 'noRpc'
  | 'nodesDisagree'
  | 'nodesLeftOut'
  | 'nonceGap'
  | 'nonceUsed'
  | 'notText'
  | 'oldTypedData'
  | 'otherCurrency'
  | 'otherExplorer'
  | 'otherNetworkName'
  | 'ownInterface'
  | 'ownRecipient'
  | 'paysNoContract'
  | 'replacesCode'
  | 'replacesPending'
  | 'rpcMissing'
  | 'sentBefore'
  | 'sentToToken'
  | 'sentToZero'
  | 'signInElsewhere'
  | 'signInMatches'
  | 'signInNotValid'
  | 'signInOtherAccount'
  | 'signInOtherChain'
  | 'signInUnproven'
  | 'suggestedRpc'
  | 'tokenWithoutCode'
  | 'tooManyAllowances'
  | 'unconfirmedAsset'
  | 'undeclaredFields'
  | 'unexplainedLoss'
  | 'unknownCall'
  | 'unknownContract'
  | 'unknownFormat'
  | 'unknownSpender'
  | 'unlimitedAllowance'
  | 'unlistedNetwork'
  | 'unreachable'
  | 'untriedCall'
  | 'waitingForNode'
  | 'unusualEncoding'
  | 'upgradesAccount'

/**
 * `values` are inserted into the text: counts, amounts in wei, or an external error text. Findings of level `none` report
 * a successful check or other information.
 */
export type Finding = { level: RiskLevel; name: FindingName; values: readonly string[] }

/** A decoded value of typed data or calldata, in signing order. */
export type ValueView = { name: string; type: string; value: string | readonly ValueView[] }

/** A decoded call. `by` is the name of the user's interface that decoded it, if any. */
export type CallView = { name: string; signature: string; args: readonly ValueView[]; by?: string }

/**
 * A balance change in the token's smallest unit. `symbol` and `decimals` come from the token's contract, if it provides
 * them. The transaction's own value is a separate change; all other native transfers are summed up in one more.
 */
export type BalanceChangeView = {
  kind: TokenKind
  token: string | null
  id: string | null
  direction: 'out' | 'in'
  amount: string
  symbol: string | null
  decimals: number | null
  /** Recipients of an outgoing change, or senders of an incoming one: distinct addresses, at most four. */
  parties?: readonly string[]
  /**
   * The account's balance before the transaction, in the smallest unit. Read for native currency and for outgoing
   * ERC-20 tokens, otherwise null.
   */
  held?: string | null
}

/**
 * Simulated effect of a transaction without its fee. `by` is the method used: `simulate` and `trace` report balance
 * changes as logged by the contracts; `call` only reports failure, with `changes` null. `hidden` is the number of
 * changes beyond those listed. `failure` is null if the transaction succeeds.
 */
export type SimulationView = {
  by: 'simulate' | 'trace' | 'call'
  changes: readonly BalanceChangeView[] | null
  hidden: number
  failure: RevertView | null
  /** Set if a second simulation, in another block, had a different result. */
  differs?: true
}

/**
 * An amount of a token, or of the native currency if `token` is null. `id` is an item of a collection. With `ofSet`, it
 * identifies a set of acceptable items.
 */
export type AmountView = { token: string | null; amount: string; id: string | null; ofSet?: true }

/**
 * A token operation, as far as the request shows it. Amounts are decimal in the token's smallest unit; null means
 * unlimited, and `asked` then has the requested number. `until` is Unix time in seconds, null without expiry. `adds`
 * means that the amount is added to the current allowance.
 */
export type TokenAct =
  | { kind: 'transfer'; token: string; from: string; to: string; amount: string; id: string | null }
  | {
      kind: 'allow'
      token: string
      spender: string
      amount: string | null
      until: string | null
      adds: boolean
      asked?: string
      /**
       * Id of the item if the allowance is for this item alone. `amount` is then 1, or a number of units if the item
       * has several.
       */
      id?: string
    }
  | { kind: 'allowAll'; token: string; spender: string; allowed: boolean }
  | {
      kind: 'order'
      gives: readonly AmountView[]
      gets: readonly AmountView[]
      /** Amounts that the order gives to other parties. */
      others?: readonly (AmountView & { to: string })[]
      /** The only party that may fill the order, if it names one. */
      taker?: string
      until: string | null
    }

/**
 * Rights over a contract or an account. `owner`, `admin`, `role` and `upgrade` apply to a contract, `name` to an ENS
 * name, those that start with `safe` to a Safe, and `module` to another smart account. A `manager` acts for the account
 * at a protocol, and `credit` borrows in its name. `delegate` is the account's code (EIP-7702), and `code` runs as the
 * account once (DELEGATECALL).
 */
export type Right =
  | 'owner'
  | 'admin'
  | 'role'
  | 'upgrade'
  | 'name'
  | 'safeOwner'
  | 'safeModule'
  | 'safeGuard'
  | 'safeHandler'
  | 'safeThreshold'
  | 'module'
  | 'manager'
  | 'credit'
  | 'delegate'
  | 'code'

/** Control that a request gives: `of` is the contract or account, `to` the new holder, null if the call names none. */
export type ControlAct = { kind: 'control'; right: Right; of: string; to: string | null }

/**
 * The proceeds of a call to `by` go to `to`, on the chain with id `chainId` if it is another chain. `asset` is the
 * received token, if known.
 */
export type GainAct = { kind: 'gain'; by: string; to: string; chainId?: number; asset?: string }

/**
 * A call to a contract, which may use the coins sent with the call and any allowance that the account gave it before.
 * `readable` means that the function is in the wallet's table, or in an interface of the user, which `by` names. If the
 * call is not readable, `named` are the addresses in its data.
 */
export type CallAct = { kind: 'call'; contract: string; readable: boolean; named: readonly string[]; by?: string }

/** An effect of a request, as far as the request shows it. */
export type Act = TokenAct | ControlAct | GainAct | CallAct

/**
 * A Safe: the address of its code (`singleton`), whether the account is one of its owners, and its balance in wei as 0x
 * hex, if known. Also the Safe's balances of tokens that the request moves from it, in decimal.
 */
export type SafeView = {
  address: string
  singleton: string
  isOwner: boolean
  balance: string | null
  held?: readonly { token: string; amount: string }[]
}

/**
 * The node's information about a request's addresses: whether an address has no code, has code, or has a delegation
 * (EIP-7702) as code. Addresses in none of the lists are unknown.
 */
export type AddressFacts = {
  withoutCode: readonly string[]
  withCode: readonly string[]
  delegated: readonly string[]
  safes: readonly SafeView[]
}

/**
 * Kind of a party: an account with a key in this wallet, a contact, a contract of the catalogue, an address that an
 * earlier transaction paid, called or allowed to spend, a Safe that the account owns, an account without a key, a
 * listed token, another contract, an address without code, or an address for which the node has not reported whether it
 * has code.
 */
export type PartyKind =
  | 'own'
  | 'contact'
  | 'known'
  | 'used'
  | 'safe'
  | 'watched'
  | 'token'
  | 'contract'
  | 'noCode'
  | 'unread'

/**
 * An address in a request. `name` is the name of the account, contact or protocol, or the token's symbol. `what` is the
 * protocol's contract and `role` its purpose. `times` counts earlier uses.
 */
export type PartyView = {
  address: string
  kind: PartyKind
  name: string | null
  what?: string
  role?: string
  times?: number
}

/**
 * A value of an explanation. Amounts are decimal in the smallest unit of the native currency or of a unit that the
 * descriptor names; for a token, null is unlimited. `at` is Unix time in seconds; a duration is in seconds, too.
 */
export type ExplainedValue =
  | { kind: 'text'; text: string }
  | { kind: 'address'; address: string }
  | { kind: 'amount'; amount: string; unit: string; decimals: number }
  | { kind: 'tokenAmount'; amount: string | null; token: TokenView }
  | { kind: 'item'; id: string; collection: string | null }
  | { kind: 'date'; at: string }
  | { kind: 'duration'; seconds: string }

/**
 * Explanation of a call or a signature by a descriptor that the user loaded (ERC-7730). Its texts are claims of
 * `owner`, or of an unnamed author if `owner` is null; `source` is the file or the host that it came from. `isCut` is
 * set if it has more fields.
 */
export type ExplainedView = {
  owner: string | null
  source: string
  intent: string | null
  fields: readonly { label: string; value: ExplainedValue }[]
  isCut?: true
}

/** Kinds of typed data that the wallet can explain. Data of the kind `calm` moves nothing. */
export type SignedForm =
  | 'calm'
  | 'permit'
  | 'daiPermit'
  | 'permit2'
  | 'permit2Transfer'
  | 'transferAuthorization'
  | 'order'
  | 'bulkOrder'
  | 'safeTransaction'
  | 'userOperation'
  | 'forwardRequest'
  | 'authorization'
  | 'withdrawal'

/** Native currency sent by a nested call, in wei. `from` pays it. A refund of a Safe for gas is an upper bound. */
export type PaymentView = { from: string; to: string; value: string; isRefund?: true }

/**
 * A transaction. `broadcast` is true if the wallet sends it. `fee` is null if the node was unreachable, and the
 * transaction is then incomplete. `fees`, `nonces` and `simulation` are set if they could be read. `speed` is the
 * wallet's choice if no fees were given.
 */
export type TransactionEffect = {
  kind: 'transaction'
  broadcast: boolean
  to: string | null
  value: string
  data: string
  nonce: string | null
  call: CallView | null
  acts: readonly Act[]
  payments?: readonly PaymentView[]
  tokens: readonly TokenView[]
  facts?: AddressFacts
  /** Set if the user can change the requested allowance: the requested amount, and whether it was changed. */
  limit: { asked: string; changed: boolean } | null
  fee: FeeView | null
  fees?: FeeChoice
  speed?: 'normal'
  nonces?: NoncesView
  simulation?: SimulationView
  /** The account's balance in wei, if known. */
  balance?: string
  /** Address of the contract to be created and the nonce it derives from, if known. */
  creates?: { address: string; nonce: string }
  explained?: ExplainedView
  /** Set if the user chose a node for comparing. Otherwise, only the reading node tells the facts. */
  checked?: ChecksView
}

/**
 * Simulated effect of a batch's calls. It covers the first `tried` calls. `failed` is the index of the first failing
 * call. It is null if none failed, or if one transaction has all calls and does not tell which one fails.
 */
export type CallsSimulationView = SimulationView & { tried: number; failed: number | null }

/**
 * The calls of a batch: transactions to send in this order or, with `together`, the calls of one transaction, which all
 * happen or none. `fee` is the total fee. `upgrades` means that the transaction also gives the account the code of
 * BATCH_DELEGATE, and `replaces` is the contract whose code the account has now. `isChosen` is set if the user has chosen
 * this. `mayBeTogether` is set if the user can choose it.
 */
export type CallsEffect = {
  kind: 'calls'
  calls: readonly TransactionEffect[]
  together?: { upgrades: boolean; replaces: string | null; isChosen?: true }
  mayBeTogether?: true
  facts?: AddressFacts
  fee: FeeView | null
  fees?: FeeChoice
  speed?: 'normal'
  simulation?: CallsSimulationView
  /** The account's balance in wei, if known. */
  balance?: string
  checked?: ChecksView
}

/** A parsed sign-in message (EIP-4361). Times are as written; missing fields are null. */
export type SignInView = {
  scheme: string | null
  domain: string
  address: string
  statement: string | null
  uri: string
  chainId: number
  nonce: string
  issuedAt: string
  expires: string | null
  notBefore: string | null
  requestId: string | null
  resources: readonly string[]
}

/** Effect of approving a request. Strings from the site are unmodified; the UI escapes them. */
export type Effect =
  | { kind: 'unlock' }
  /**
   * `connected` are the accounts that the site has now. `only` are the accounts to which the site asks to be limited.
   */
  | {
      kind: 'connect'
      accounts: readonly AccountView[]
      connected: readonly string[]
      only: readonly string[] | null
    }
  | { kind: 'message'; bytes: string; text: string | null; signedAs: string; signIn: SignInView | null }
  /**
   * `primaryType` is null for version 1: a list of values without types and domain. `form` is null if the wallet cannot
   * explain the data.
   */
  | {
      kind: 'typedData'
      domain: readonly ValueView[]
      primaryType: string | null
      message: ValueView
      json: string
      form: SignedForm | null
      acts: readonly Act[]
      payments?: readonly PaymentView[]
      tokens: readonly TokenView[]
      facts?: AddressFacts
      /** The contract that verifies the signature; null if the domain names none. */
      contract?: string | null
      explained?: ExplainedView
      checked?: ChecksView
    }
  | TransactionEffect
  | CallsEffect
  | { kind: 'watchAsset'; address: string; symbol: string; decimals: number }
  | { kind: 'switchChain'; to: NetworkView }
  /** `known` means that the wallet already has the network, and takes only the node's URL from the site. */
  | { kind: 'addChain'; network: NetworkView; explorerUrl: string | null; known: boolean }
