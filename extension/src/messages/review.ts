/** Effects of a request, and the findings of its review. */
import type { RevertView } from './errors.ts'
import type { FeeChoice, FeeView, NoncesView } from './fees.ts'
import type { AccountView, NetworkView, TokenKind, TokenView } from './wallet.ts'

/** Token amounts of more bits count as unlimited, because nobody holds that many. */
export const UNLIMITED_BITS = 128n

/** Severity of a finding. The highest one sets the color of the risk band. */
export type RiskLevel = 'none' | 'caution' | 'danger' | 'blocked'

/** Results of a review. The UI has their texts in each language. */
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
  | 'imitatedName'
  | 'imitatedNetwork'
  | 'imitatedSite'
  | 'insufficientFunds'
  | 'knownContact'
  | 'knownSite'
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
  | 'movesCoins'
  | 'movesTokens'
  | 'nameMoved'
  | 'nameOfEthereum'
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
  | 'otherCurrency'
  | 'otherExplorer'
  | 'otherNetworkName'
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
 * `values` are inserted into the text: counts, amounts in wei, or an external error text. Findings of level `none` report
 * a successful check or other information.
 */
export type Finding = { level: RiskLevel; name: FindingName; values: readonly string[] }

/** A decoded value of typed data or calldata, in signing order. */
export type ValueView = { name: string; type: string; value: string | readonly ValueView[] }

/** A decoded call. `by` is the name of the person's interface that was used, if any. */
export type CallView = { name: string; signature: string; args: readonly ValueView[]; by?: string }

/**
 * A balance change in the token's smallest unit. `symbol` and `decimals` come from the token's contract, if it
 * provides them.
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
 * Simulated effect of a transaction without its fee. `by` is the method used: `simulate` and `trace` report balance
 * changes as logged by the contracts; `call` only reports failure, and `changes` is null. `hidden` is the number of
 * changes beyond those listed. `failure` is null if it succeeds.
 */
export type SimulationView = {
  by: 'simulate' | 'trace' | 'call'
  changes: readonly BalanceChangeView[] | null
  hidden: number
  failure: RevertView | null
}

/**
 * An amount of a token, or of the native currency if `token` is null. `id` is an item of a collection or, with `ofSet`, a
 * set of acceptable items.
 */
export type AmountView = { token: string | null; amount: string; id: string | null; ofSet?: true }

/**
 * A token operation, as far as the request shows it. Amounts are decimal in the token's smallest unit; null means
 * unlimited, and `asked` then has the requested number. `until` is Unix time in seconds, null if there is no expiry. `adds`
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
    }
  | { kind: 'allowAll'; token: string; spender: string; allowed: boolean }
  | { kind: 'order'; gives: readonly AmountView[]; gets: readonly AmountView[]; until: string | null }

/** Forms of typed data that the wallet can explain. */
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

/** Native currency sent by a nested call, in wei. */
export type PaymentView = { to: string; value: string }

/**
 * A transaction. `broadcast` is true if the wallet sends it. `fee` is null if the node was unreachable, so that the
 * transaction is incomplete. `fees`, `nonces` and `simulation` are set if they could be read. `speed` is the wallet's
 * choice if no fees were given.
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
  /** Set if the person can change the requested allowance: the requested amount, and whether it was changed. */
  limit: { asked: string; changed: boolean } | null
  fee: FeeView | null
  fees?: FeeChoice
  speed?: 'normal'
  nonces?: NoncesView
  simulation?: SimulationView
  /** Address of the contract to be created and the nonce it derives from, if known. */
  creates?: { address: string; nonce: string }
}

/**
 * Simulated effect of consecutive calls. It covers the first `tried` calls. `failed` is the index of the first failing
 * call, or null.
 */
export type CallsSimulationView = SimulationView & { tried: number; failed: number | null }

/** Transactions sent in this order. `fee` is their total. */
export type CallsEffect = {
  kind: 'calls'
  calls: readonly TransactionEffect[]
  fee: FeeView | null
  fees?: FeeChoice
  speed?: 'normal'
  simulation?: CallsSimulationView
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

/** Effect of approving a request. Strings from the site are verbatim; the UI escapes them. */
export type Effect =
  | { kind: 'unlock' }
  /** `connected` are the accounts the site has now, `only` those it requests to be limited to. */
  | {
      kind: 'connect'
      accounts: readonly AccountView[]
      connected: readonly string[]
      only: readonly string[] | null
    }
  | { kind: 'message'; bytes: string; text: string | null; signedAs: string; signIn: SignInView | null }
  /**
   * `primaryType` is null for version 1, a list of values without types and domain. `form` is null if the wallet cannot
   * explain the data.
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
  /** `known` means that the wallet already has the network, and only takes the RPC URL from the site. */
  | { kind: 'addChain'; network: NetworkView; explorerUrl: string | null; known: boolean }
