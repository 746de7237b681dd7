/** Says in a sentence what a request will do. It can hold text of the site: render it with Text.svelte. */
import type { NetworkView, RequestView, SignedForm, TokenAct, TokenView, TransactionEffect } from '../../messages.ts'
import type { IconName } from './icons.ts'
import { byteLength, formatBytes, formatExact, withUnit } from './numbers.ts'
import { plural, type TextKey, text } from './text.ts'
import { cutName, cutStart } from './text-safety.ts'
import { findToken, tokenAmount, tokenName } from './tokens.ts'

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

/** Titles of token acts, for tokens that are not known well enough to be named. */
const CALLS: Readonly<Record<TokenAct['kind'], TextKey>> = {
  transfer: 'callTransfer',
  allow: 'callApprove',
  allowAll: 'callApproveAll',
  order: 'signOrder',
}

/** Titles of calls whose function is known but whose arguments were not decoded. */
const SIGNATURES: Readonly<Record<string, TextKey>> = {
  'transfer(address,uint256)': 'callTransfer',
  'transferFrom(address,address,uint256)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256,bytes)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256,uint256,bytes)': 'callTransferFrom',
  'approve(address,uint256)': 'callApprove',
  'increaseAllowance(address,uint256)': 'callApprove',
  'increaseApproval(address,uint256)': 'callApprove',
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

/** The title of one act. It is generic if the token is not known. `account` owns the tokens. */
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

const titleOf = (effect: TransactionEffect, { network, account }: Asked): string => {
  const { to, value, data, acts, tokens, call } = effect
  if (to === null) return text('deployContract')
  if (data === '0x') return text('sendAmount', amountOf(value, network))
  const [act] = acts
  if (act && acts.length === 1) return titleOfAct(act, tokens, account?.address ?? null)
  return text((call && SIGNATURES[call.signature]) ?? 'contractCall')
}

const kindOf = ({ broadcast, limit }: TransactionEffect): TextKey => {
  if (limit?.changed) return 'kindChanged'
  return broadcast ? 'kindTransaction' : 'kindSignedOnly'
}

/** The recipient of a transfer, or the contract of any other call. */
const partyOf = ({ to, data, acts }: TransactionEffect): Headline['party'] => {
  if (to === null) return null
  if (data === '0x') return { label: text('to'), address: to, of: 'account' }
  const [act] = acts
  if (acts.length === 1 && act?.kind === 'transfer') return { label: text('to'), address: act.to, of: 'account' }
  // The spender is shown in full below; the contract's address adds nothing here.
  if (acts.length === 1 && act?.kind === 'allow') return null
  return { label: text('onContract'), address: to, of: 'contract' }
}

/** `title` is for forms that do more than their token acts. A form with exactly one act uses that act's title. */
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
}

type TypedEffect = Extract<RequestView['effect'], { kind: 'typedData' }>

const typedHeadline = ({ form, acts, tokens, primaryType }: TypedEffect, account: string | null): Headline => {
  const [act] = acts
  if (form !== null) {
    const { kind, note, title } = FORMS[form]
    const general = title ? text(title) : plural('allowSeveral', acts.length)
    const shown = act && acts.length === 1 ? titleOfAct(act, tokens, account) : general
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

type Asked = Pick<RequestView, 'effect' | 'network' | 'account'>

export const headlineOf = (asked: Asked): Headline => {
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
      return { icon: 'contract', kind: text('kindCalls'), title, note: text('oneAfterTheOther'), party: null }
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
