/**
 * Titles a request with a sentence about its effects. The title can contain text of the site: render it with
 * Text.svelte.
 */
import {
  type NetworkView,
  PERMIT2,
  type RequestView,
  type SignedForm,
  type TokenAct,
  type TokenView,
  type TransactionEffect,
} from '../../messages.ts'
import { sameAddress } from './address.ts'
import type { IconName } from './icons.ts'
import { byteLength, formatBytes, formatExact, withUnit } from './numbers.ts'
import type { Asked } from './parties.ts'
import { signatureSummary } from './signature-summary.ts'
import { summaryOf } from './summary.ts'
import { plural, startSentence, type TextKey, text } from './text.ts'
import { cutName, cutStart } from './text-safety.ts'
import { findToken, tokenActsIn, tokenAmount, tokenName } from './tokens.ts'

/** `kind` is the small line above the title, `note` the line below it, `party` the recipient, contract or spender. */
export type Headline = {
  icon: IconName
  kind: string
  title: string
  note: string
  party: { label: string; address: string; of: 'account' | 'contract' } | null
}

/** Longest site in the title of a sign-in, in characters. */
const LONGEST_SITE = 60

/** Titles of token acts for tokens that are not known well enough to be named. */
const CALLS: Readonly<Record<TokenAct['kind'], TextKey>> = {
  transfer: 'callTransfer',
  allow: 'callApprove',
  allowAll: 'callApproveAll',
  order: 'signOrder',
}

/** Functions of tokens and of Permit2, with titles for calls whose arguments were not decoded. */
const SIGNATURES: Readonly<Record<string, TextKey>> = {
  'transfer(address,uint256)': 'callTransfer',
  'transferFrom(address,address,uint256)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256,bytes)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256,uint256,bytes)': 'callTransferFrom',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': 'callTransferFrom',
  'transferFrom(address,address,uint160,address)': 'callTransferFrom',
  'approve(address,uint256)': 'callApprove',
  'increaseAllowance(address,uint256)': 'callApprove',
  'increaseApproval(address,uint256)': 'callApprove',
  'approve(address,address,uint160,uint48)': 'callApprove',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': 'callApprove',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': 'callApprove',
  'permit(address,uint256,uint256,uint8,bytes32,bytes32)': 'callApprove',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)': 'callApprove',
  'setApprovalForAll(address,bool)': 'callApproveAll',
}

const allowanceTitle = (act: TokenAct & { kind: 'allow' }, token: TokenView | undefined): string | undefined => {
  const name = tokenName(token)
  if (act.amount === null) return text(name === '' ? 'allowSpendingAllTokens' : 'allowSpendingAll', name)
  const amount = tokenAmount(act.amount, token)
  if (amount === undefined) return undefined
  if (act.amount === '0') return text('stopSpending', name)
  return text(act.adds ? 'allowSpendingMore' : 'allowSpending', amount)
}

const orderTitle = (
  { gives, gets }: TokenAct & { kind: 'order' },
  tokens: readonly TokenView[],
): string | undefined => {
  const [give, get] = [gives[0], gets[0]]
  if (gives.length !== 1 || gets.length !== 1 || !give?.token || !get?.token) return undefined
  if (give.id !== null || get.id !== null) return undefined
  const given = tokenAmount(give.amount, findToken(tokens, give.token))
  const got = tokenAmount(get.amount, findToken(tokens, get.token))
  return given === undefined || got === undefined ? undefined : text('sellFor', given, got)
}

/** Returns the title of one act. It is generic if the token is not known. `account` owns the tokens. */
const titleOfAct = (act: TokenAct, tokens: readonly TokenView[], account: string | null): string => {
  const general = text(CALLS[act.kind])
  if (act.kind === 'order') return orderTitle(act, tokens) ?? general
  const token = findToken(tokens, act.token)
  if (act.kind === 'allowAll') return text(act.allowed ? 'allowMovingAll' : 'stopMovingAll')
  if (act.kind === 'allow') return allowanceTitle(act, token) ?? general
  const isOwn = account !== null && act.from.toLowerCase() === account.toLowerCase()
  const amount = act.id === null ? tokenAmount(act.amount, token) : undefined
  if (amount === undefined) return isOwn ? general : text('callTransferFrom')
  return text(isOwn ? 'sendToken' : 'moveToken', amount)
}

const amountOf = (value: string, { symbol, decimals }: NetworkView): string =>
  withUnit(formatExact(BigInt(value), decimals), symbol)

/**
 * Returns the act that a call consists of: the called function itself, on the token or on Permit2. Undefined if the
 * call also sends coins, or if it calls another contract that performs the act, because such a call can do more.
 */
const soleAct = ({ to, value, call, acts }: TransactionEffect): TokenAct | undefined => {
  const [act, ...others] = tokenActsIn(acts)
  if (!act || act.kind === 'order' || others.length > 0 || BigInt(value) > 0n) return undefined
  if (to === null || !call || SIGNATURES[call.signature] === undefined) return undefined
  return sameAddress(to, act.token) || sameAddress(to, PERMIT2) ? act : undefined
}

/** Returns the title of a call that is not explained by one act. */
const titleOfCall = ({ value, call, acts }: TransactionEffect, network: NetworkView): string => {
  if (BigInt(value) > 0n) return text('contractCallWith', amountOf(value, network))
  // Records of past calls have no acts, so their title comes from the signature.
  const known = tokenActsIn(acts).length === 0 && call ? SIGNATURES[call.signature] : undefined
  return text(known ?? 'contractCall')
}

const titleOf = (effect: TransactionEffect, { network, account }: Asked): string => {
  const { to, value, data, tokens } = effect
  if (to === null) return text('deployContract')
  if (data === '0x') return text('sendAmount', amountOf(value, network))
  const act = soleAct(effect)
  return act ? titleOfAct(act, tokens, account?.address ?? null) : titleOfCall(effect, network)
}

const kindOf = ({ broadcast, limit }: TransactionEffect): TextKey => {
  if (limit?.changed) return 'kindChanged'
  return broadcast ? 'kindTransaction' : 'kindSignedOnly'
}

/** Returns the recipient of a transfer, or the contract of any other call. */
const partyOf = (effect: TransactionEffect): Headline['party'] => {
  const { to, data } = effect
  if (to === null) return null
  if (data === '0x') return { label: text('to'), address: to, of: 'account' }
  const act = soleAct(effect)
  if (act?.kind === 'transfer') return { label: text('to'), address: act.to, of: 'account' }
  // The spender is shown in full below; the contract's address adds nothing here.
  if (act?.kind === 'allow') return null
  return { label: text('onContract'), address: to, of: 'contract' }
}

/**
 * Texts of each form. `title` is for forms that do more than their token acts. A form with exactly one act uses that
 * act's title.
 */
const FORMS: Readonly<Record<SignedForm, { kind: TextKey; note: TextKey; title?: TextKey }>> = {
  permit: { kind: 'kindPermit', note: 'whenUsed' },
  daiPermit: { kind: 'kindDaiPermit', note: 'whenUsed' },
  permit2: { kind: 'kindPermit2', note: 'whenUsed' },
  permit2Transfer: { kind: 'kindPermit2', note: 'whenUsed' },
  transferAuthorization: { kind: 'kindTransferAuthorization', note: 'whenSubmitted' },
  order: { kind: 'kindOrder', note: 'whenFilled' },
  bulkOrder: { kind: 'kindBulkOrder', note: 'whenFilled', title: 'signBulkOrder' },
  safeTransaction: { kind: 'kindSafeTransaction', note: 'whenSubmitted', title: 'signSafeTransaction' },
  userOperation: { kind: 'kindUserOperation', note: 'whenSubmitted', title: 'signUserOperation' },
  forwardRequest: { kind: 'kindForwardRequest', note: 'whenSubmitted', title: 'signForwardRequest' },
  authorization: { kind: 'kindTypedData', note: 'whenSubmitted' },
  withdrawal: { kind: 'kindTypedData', note: 'whenSubmitted' },
  calm: { kind: 'kindTypedData', note: 'noFeeNow' },
}

type TypedEffect = Extract<RequestView['effect'], { kind: 'typedData' }>

const typedHeadline = ({ form, acts, tokens, primaryType }: TypedEffect, account: string | null): Headline => {
  const all = tokenActsIn(acts)
  const [act] = all
  if (form !== null) {
    const { kind, note, title } = FORMS[form]
    const general = title ? text(title) : plural('allowSeveral', all.length)
    const shown = act && all.length === 1 ? titleOfAct(act, tokens, account) : general
    return { icon: 'sign', kind: text(kind), title: shown, note: text(note), party: null }
  }
  const title = primaryType === null ? text('signValues') : text('signTyped', cutName(primaryType))
  const kind = text(primaryType === null ? 'kindTypedValues' : 'kindTypedData')
  return { icon: 'sign', kind, title, note: text('noFeeNow'), party: null }
}

type MessageEffect = Extract<RequestView['effect'], { kind: 'message' }>

const messageHeadline = ({ signIn, text: message, bytes }: MessageEffect): Headline => {
  const shared = { icon: 'sign', note: text('noFee'), party: null } as const
  if (signIn !== null)
    return { ...shared, kind: text('kindSignIn'), title: text('signInTo', cutStart(signIn.domain, LONGEST_SITE)) }
  const title = message === null ? text('signBytes', formatBytes(byteLength(bytes))) : text('signMessage')
  return { ...shared, kind: text('kindSignature'), title }
}

const generalHeadline = (asked: Asked): Headline => {
  const { effect, account } = asked
  switch (effect.kind) {
    case 'unlock':
    case 'connect':
      return { icon: 'link', kind: text('kindConnection'), title: text('connectToSite'), note: '', party: null }
    case 'message':
      return messageHeadline(effect)
    case 'typedData':
      return typedHeadline(effect, account?.address ?? null)
    case 'transaction':
      return {
        icon: effect.data === '0x' ? 'send' : 'contract',
        kind: text(kindOf(effect)),
        title: titleOf(effect, asked),
        note: effect.broadcast ? '' : text('signedOnly'),
        party: partyOf(effect),
      }
    case 'calls': {
      const title = plural('sendCalls', effect.calls.length)
      const note = text(effect.together ? 'allOrNone' : 'oneAfterTheOther')
      return { icon: 'contract', kind: text('kindCalls'), title, note, party: null }
    }
    case 'watchAsset': {
      const party = { label: text('onContract'), address: effect.address, of: 'contract' } as const
      const title = text('showToken', cutName(effect.symbol))
      return { icon: 'eye', kind: text('kindAsset'), title, note: text('showsOnly'), party }
    }
    case 'switchChain': {
      const title = text('switchTo', effect.to.title)
      return { icon: 'network', kind: text('kindNetwork'), title, note: text('onlyThisSite'), party: null }
    }
    case 'addChain': {
      const title = text(effect.known ? 'useRpcFor' : 'addNetwork', cutName(effect.network.title))
      return { icon: 'network', kind: text('kindNetwork'), title, note: text('switchesToo'), party: null }
    }
  }
}

/** Returns a sentence about a request's effects once its parties are known, otherwise a general title. */
export const headlineOf = (asked: Asked): Headline => {
  const general = generalHeadline(asked)
  const title = asked.parties && (signatureSummary(asked) ?? summaryOf(asked))
  return title ? { ...general, title: startSentence(title) } : general
}
