/** What a request will do, and what was found of it. */
import type { FeeChoice, FeeView, NoncesView } from './transactions.ts'
import type { AccountView, NetworkView, TokenKind, TokenView } from './wallet.ts'

/** An amount of tokens with more bits than these is unlimited: nobody has that much of anything. */
export const UNLIMITED_BITS = 128n

/** How much a finding weighs. The highest level owns the risk band. */
export type RiskLevel = 'none' | 'caution' | 'danger' | 'blocked'

/** What a review can find. The words for each are the pages' own, in the person's language. */
export type FindingName =
  | 'approvalForAll'
  | 'chainIdInSalt'
  | 'coinsToToken'
  | 'createsContract'
  | 'delegateCall'
  | 'displacesSigned'
  | 'emptyOrder'
  | 'excessiveFee'
  | 'feeOfBalance'
  | 'firstRecipient'
  | 'gasPriceJumped'
  | 'gasTooLow'
  | 'handsOverAccount'
  | 'hiddenCharacters'
  | 'highFee'
  | 'ignoredFields'
  | 'imitatedAsset'
  | 'imitatedNetwork'
  | 'imitatedSite'
  | 'insufficientFunds'
  | 'knownContact'
  | 'knownSite'
  | 'likelyToFail'
  | 'listedToken'
  | 'longMessage'
  | 'lookalikeAddress'
  | 'makesCalls'
  | 'malformedCall'
  | 'malformedSignIn'
  | 'manyCalls'
  | 'movesCoins'
  | 'movesTokens'
  | 'namesakeAsset'
  | 'namesakeNetwork'
  | 'nestedTooDeep'
  | 'noChainId'
  | 'noContract'
  | 'noRpc'
  | 'nonceGap'
  | 'nonceUsed'
  | 'notText'
  | 'oldTypedData'
  | 'ownInterface'
  | 'ownRecipient'
  | 'paysNoContract'
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
  | 'unknownCall'
  | 'unknownFormat'
  | 'unknownSpender'
  | 'unlimitedAllowance'
  | 'unlistedNetwork'
  | 'unreachable'
  | 'untriedCall'
  | 'waitingForNode'
  | 'unusualEncoding'

/**
 * `values` are filled into the words: counts, amounts in wei, or a reason as it came from outside. What is of level
 * `none` was checked and found as it should be, or is only worth knowing.
 */
export type Finding = { level: RiskLevel; name: FindingName; values: readonly string[] }

/** A decoded value of typed data or calldata, in the order in which it is signed. */
export type ValueView = { name: string; type: string; value: string | readonly ValueView[] }

/** A call that was decoded; `by` names the interface of the person's by which it was. */
export type CallView = { name: string; signature: string; args: readonly ValueView[]; by?: string }

/**
 * What an account gets or gives, in the smallest unit. `symbol` and `decimals` are what the token says of itself, where it
 * says so.
 */
export type BalanceChangeView = {
  kind: TokenKind
  token: string | null
  id: string | null
  direction: 'out' | 'in'
  amount: string
  symbol: string | null
  decimals: number | null
}

/**
 * What a transaction would do now, but for its fee. `by` names how the node was asked: `simulate` and `trace` tell what
 * changes hands, as the contracts say it, and `call` only whether it fails: then `changes` is null. `hidden` is how many
 * changes there are beyond those. `failure` is the reason why it would fail, in the words of the contract or the node.
 */
export type SimulationView = {
  by: 'simulate' | 'trace' | 'call'
  changes: readonly BalanceChangeView[] | null
  hidden: number
  failure: string | null
}

/**
 * An amount of a token, or of the network's coin where `token` is null; `id` names an item of a collection, or with `ofSet`
 * a set of items of which any will do.
 */
export type AmountView = { token: string | null; amount: string; id: string | null; ofSet?: true }

/**
 * What is done with tokens, as far as the request itself says. Amounts are decimal digits in the token's smallest unit;
 * null stands for all there is and will be, and `asked` then keeps the digits of a call. `until` is in seconds since 1970, null where there is no end. `adds` says
 * that the amount comes on top of what is allowed already.
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
    }
  | { kind: 'allowAll'; token: string; spender: string; allowed: boolean }
  | { kind: 'order'; gives: readonly AmountView[]; gets: readonly AmountView[]; until: string | null }

/** The forms of typed data that the wallet can read. */
export type SignedForm =
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

/** Coins that a call within a call moves, in wei. */
export type PaymentView = { to: string; value: string }

/**
 * A transaction: `broadcast` says whether the wallet sends it. `fee` is null where the node could not be asked, so that the
 * transaction is not complete; `fees`, `nonces` and `simulation` are there where they were read. `speed` is the one that
 * the wallet chose, where nobody else named a price.
 */
export type TransactionEffect = {
  kind: 'transaction'
  broadcast: boolean
  to: string | null
  value: string
  data: string
  nonce: string | null
  call: CallView | null
  acts: readonly TokenAct[]
  payments?: readonly PaymentView[]
  tokens: readonly TokenView[]
  /** Where the person can set another allowance: the amount that the site asked for, and whether it is another now. */
  limit: { asked: string; changed: boolean } | null
  fee: FeeView | null
  fees?: FeeChoice
  speed?: 'normal'
  nonces?: NoncesView
  simulation?: SimulationView
  /** The contract that it makes, with the nonce that its address comes from, as far as that is known. */
  creates?: { address: string; nonce: string }
}

/**
 * What calls do one after the other. It is about the first `tried` of them; `failed` is the first that would fail, from 0,
 * and null where none does.
 */
export type CallsSimulationView = SimulationView & { tried: number; failed: number | null }

/** Transactions that are sent in this order. `fee` is that of all. */
export type CallsEffect = {
  kind: 'calls'
  calls: readonly TransactionEffect[]
  fee: FeeView | null
  fees?: FeeChoice
  speed?: 'normal'
  simulation?: CallsSimulationView
}

/** A sign-in message, EIP-4361, taken apart; times as they are written. What is left out is null. */
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

/** What will happen on Approve. Strings from the site are verbatim: the page that draws them makes them harmless. */
export type Effect =
  | { kind: 'unlock' }
  /** `connected` are the accounts that the site sees now, `only` those that it asks to be restricted to. */
  | {
      kind: 'connect'
      accounts: readonly AccountView[]
      connected: readonly string[]
      only: readonly string[] | null
    }
  | { kind: 'message'; bytes: string; text: string | null; signedAs: string; signIn: SignInView | null }
  /**
   * `primaryType` is null for the old list of values, which has no types of its own and no domain; `form` is null where
   * the wallet does not know what the data means.
   */
  | {
      kind: 'typedData'
      domain: readonly ValueView[]
      primaryType: string | null
      message: ValueView
      json: string
      form: SignedForm | null
      acts: readonly TokenAct[]
      payments?: readonly PaymentView[]
      tokens: readonly TokenView[]
    }
  | TransactionEffect
  | CallsEffect
  | { kind: 'watchAsset'; address: string; symbol: string; decimals: number }
  | { kind: 'switchChain'; to: NetworkView }
  /** `known` says that the wallet has the network, and takes only the RPC from the site. */
  | { kind: 'addChain'; network: NetworkView; explorerUrl: string | null; known: boolean }
