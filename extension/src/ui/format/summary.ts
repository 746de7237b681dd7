/**
 * The first line of a request: outgoing and incoming assets, and rights that it gives. The findings choose the
 * sentences, so that small effects cannot hide grave ones. The line can contain text of the site: render it with
 * Text.svelte.
 */
import type { FindingName, RiskLevel } from '../../messages.ts'
import { sameAddress } from './address.ts'
import { nameOf, orderAmount } from './amounts.ts'
import { type Asked, isIdentified, partyName, partyOf, protocolName } from './parties.ts'
import {
  type Content,
  contentOf,
  fewOf,
  has,
  type Leaving,
  type Of,
  ofKind,
  shownOf,
  sideOf,
} from './summary-content.ts'
import { allowances, controls } from './summary-rights.ts'
import { reasonText, revertText, startSentence, type TextKey, text } from './text.ts'
import { clipText } from './text-safety.ts'
import { findToken } from './tokens.ts'

/** Longest reason in a title, in characters. The finding shows the whole reason. */
const LONGEST_REASON = 80

const quoted = (said: string): string => text('quoted', clipText(said, LONGEST_REASON))

/** Returns why the request fails now. Texts of contracts and nodes are quoted. */
const failure = ({ effect, findings = [] }: Asked): string[] => {
  const failed = 'simulation' in effect ? effect.simulation?.failure : null
  if (failed != null) return [text('says_fails', typeof failed === 'string' ? quoted(failed) : revertText(failed))]
  const found = findings.find(({ name }) => name === 'likelyToFail')
  if (!found) return []
  const [said = '', reason] = found.values
  return [text('says_fails', reason === undefined ? quoted(said) : reasonText({ reason, values: {} }))]
}

const orderSentence = (asked: Asked, orders: readonly Of<'order'>[], { tokens, called }: Content): string => {
  const gives = orders.flatMap(act => act.gives.map(one => orderAmount(asked, one, tokens, true)))
  const [first] = orders
  const gets = (first?.gets ?? []).filter(({ amount }) => amount !== '0')
  const got = gets.map(one => orderAmount(asked, one, tokens, false))
  const given = [fewOf(gives), got.length === 0 ? text('says_nothing') : fewOf(got)] as const
  const stranger = first?.others?.find(({ to, amount }) => amount !== '0' && !isIdentified(partyOf(asked, to)))
  if (stranger) {
    const taken = orderAmount(asked, stranger, tokens, false)
    const who = startSentence(partyName(asked, stranger.to, 'recipient'))
    return text('says_orderElsewhere', ...given, taken, who)
  }
  if (first?.taker !== undefined) return text('says_orderTo', ...given, partyName(asked, first.taker, 'recipient'))
  const { effect } = asked
  const market = effect.kind === 'typedData' ? (effect.contract ?? '') : (called[0] ?? '')
  return partyOf(asked, market).kind === 'known'
    ? text('says_orderBy', ...given, protocolName(asked, market))
    : text('says_order', ...given)
}

/** Returns one sentence for all orders that give nothing in return, or else a sentence for each order. */
const order = (asked: Asked, content: Content): string[] => {
  const orders = ofKind(content.acts, 'order')
  const free = orders.filter(({ gets, others = [] }) => [...gets, ...others].every(({ amount }) => amount === '0'))
  if (free.length > 0) return [orderSentence(asked, free, content)]
  return orders.map(one => orderSentence(asked, [one], content))
}

/** Returns what the account pays, as shown by the simulation or the request. */
const paidOf = (asked: Asked, content: Content): string => {
  const shown = sideOf(asked, content, 'out')
  if (shown !== '') return shown
  const own = asked.account?.address ?? ''
  return shownOf(
    asked,
    content.leaving.filter(({ from }) => sameAddress(from, own)),
  )
}

const gainElsewhere = (asked: Asked, content: Content): string[] => {
  const found = asked.findings?.find(({ name }) => name === 'gainElsewhere')
  const to = found?.values[0]
  if (content.acts.some(({ kind }) => kind === 'order')) return order(asked, content)
  if (to === undefined) return []
  const who = partyName(asked, to, 'recipient')
  const paid = paidOf(asked, content)
  const by = protocolName(asked, content.called[0] ?? '')
  const asset = ofKind(content.acts, 'gain').find(act => sameAddress(act.to, to))?.asset
  const what = asset == null ? '' : nameOf(findToken(content.tokens, asset))
  // If the payment is nearly all of an asset, a separate sentence names it.
  if (paid === '' || has(asked, 'mostOfAsset')) return [text('says_gainElsewhere', by, who)]
  return [what === '' ? text('says_paysForOther', paid, by, who) : text('says_paysForOtherOf', paid, by, what, who)]
}

/** Words what goes to each recipient, in order: "10 USDC to Mira and 0.1 ETH to Savings". */
const withRecipients = (asked: Asked, leaving: readonly Leaving[]): string => {
  const recipients = [...new Map(leaving.map(({ to }) => [to.toLowerCase(), to])).values()]
  const parts = recipients.map(to => {
    const all = leaving.filter(one => sameAddress(one.to, to))
    const place = all.some(({ isCall }) => isCall) ? 'contract' : 'recipient'
    return text('says_part', shownOf(asked, all), partyName(asked, to, place))
  })
  return fewOf(parts)
}

/** Returns a sentence for each owner that pays an unidentified party; if none does, for each owner that pays. */
const outgoing = (asked: Asked, content: Content): string[] => {
  const own = asked.account?.address ?? ''
  const strange = content.leaving.filter(({ to }) => !isIdentified(partyOf(asked, to)))
  const chosen = strange.length > 0 ? strange : content.leaving
  const owners = [...new Map(chosen.map(({ from }) => [from.toLowerCase(), from])).values()]
  return owners.map(from => {
    const leaving = chosen.filter(one => sameAddress(one.from, from))
    const what = withRecipients(asked, leaving)
    if (content.acts.some(act => act.kind === 'transfer' && sameAddress(act.to, act.token)))
      return text('says_lost', what)
    if (!sameAddress(from, own)) return text('says_sendsFrom', partyName(asked, from, 'contract'), what)
    const isCall = leaving.some(one => one.isCall)
    const back = sideOf(asked, content, 'in')
    if (isCall && back !== '') return text('says_payBack', what, back)
    return text(isCall ? 'says_pay' : 'says_send', what)
  })
}

/** Returns the party that all losses go to, if there is one. */
const takerOf = ({ changes }: Content): string | undefined => {
  const takers = new Set(changes.flatMap(({ direction, parties = [] }) => (direction === 'out' ? parties : [])))
  return takers.size === 1 ? [...takers][0] : undefined
}

const losses = (asked: Asked, content: Content): string[] => {
  const [out, back] = [sideOf(asked, content, 'out'), sideOf(asked, content, 'in')]
  const taker = takerOf(content)
  const lost = taker === undefined ? out : text('says_part', out, partyName(asked, taker, 'recipient'))
  return [back === '' ? text('says_lose', lost) : text('says_loseFor', lost, back)]
}

const WRAPS: Readonly<Record<string, TextKey>> = { 'deposit()': 'says_wrap', 'withdraw(uint256)': 'says_unwrap' }
const CANCELS = /^(?:incrementCounter|incrementNonce|cancel\w*|invalidate\w*)\(/

/** Words a call of known contracts by its simulation or by the request. */
const exchange = (asked: Asked, content: Content): string | undefined => {
  const contract = content.called.find(
    called => !content.acts.some(act => 'token' in act && sameAddress(act.token, called)),
  )
  if (contract === undefined) return undefined
  const { kind, role } = partyOf(asked, contract)
  const by = protocolName(asked, contract)
  const [signature = ''] = content.signatures
  const [paid, got] = [paidOf(asked, content), sideOf(asked, content, 'in')]
  const wrap = role === 'wrapped' ? WRAPS[signature] : undefined
  if (wrap && paid !== '') return text(wrap, paid)
  // A token bridge pays its caller on the other chain, unless the call names another party or cannot be read.
  const isRead = ofKind(content.acts, 'call').every(({ readable }) => readable)
  if (role === 'bridge' && isRead && paid !== '' && got === '')
    return asked.destination == null
      ? text('says_bridge', paid, by)
      : text('says_bridgeTo', paid, asked.destination, by)
  if (paid !== '' && got !== '') return text('says_exchange', paid, got, by)
  if (got !== '') return text('says_get', got, by)
  if (paid !== '') return text('says_pay', text('says_part', paid, by))
  if (CANCELS.test(signature)) return text('says_cancel', by)
  return kind === 'known' || content.acts.every(act => act.kind === 'call') ? text('says_call', by) : undefined
}

/** Words calls that only pay the account, such as airdrops. */
const onlyGets = (asked: Asked, content: Content): string | undefined => {
  const got = sideOf(asked, content, 'in')
  if (got === '' || sideOf(asked, content, 'out') !== '' || content.leaving.length > 0) return undefined
  return text('says_get', got, protocolName(asked, content.called[0] ?? ''))
}

type Sentences = (asked: Asked, content: Content) => readonly string[]

const differs: Sentences = () => [text('finding_behavesDifferently')]

/** Sentences by finding, the gravest first. */
const BY_FINDING: readonly (readonly [Sentences, ...FindingName[]])[] = [
  [controls, 'handsOverAccount', 'givesControl', 'delegateCall'],
  [losses, 'unexplainedLoss'],
  [differs, 'behavesDifferently'],
  [
    allowances,
    ...(['allowsNoCode', 'unlimitedAllowance', 'allowanceOfMost', 'itemAllowance'] as const),
    ...(['approvalForAll', 'unknownSpender'] as const),
  ],
  [
    outgoing,
    ...(['mostOfAsset', 'coinsToUnknown', 'firstRecipient', 'lookalikeAddress'] as const),
    ...(['paysNoContract', 'sentToToken', 'sentToZero'] as const),
  ],
  [gainElsewhere, 'gainElsewhere'],
  [order, 'emptyOrder', 'dustOrder'],
]

const chosenFor = ({ findings = [] }: Asked, wanted: RiskLevel) =>
  BY_FINDING.filter(([, ...names]) => findings.some(({ level, name }) => level === wanted && names.includes(name)))

/** Words a request that needs no warning. */
const usual = (asked: Asked, content: Content): readonly string[] => {
  const [first] = [
    ...order(asked, content),
    onlyGets(asked, content) ?? exchange(asked, content) ?? [],
    ...outgoing(asked, content),
    ...allowances(asked, content),
    ...controls(asked, content),
  ].flat()
  return first === undefined ? [] : [first]
}

/** Maximum sentences in the first line. The other effects are shown below it. */
const MOST_SENTENCES = 2

/**
 * Returns the first line: that the request fails, then its dangers, otherwise its cautions, otherwise its effects.
 * Undefined for a request whose effects are not known.
 */
export const summaryOf = (asked: Asked): string | undefined => {
  const content = contentOf(asked)
  const dangers = chosenFor(asked, 'danger')
  const cared = dangers.length > 0 ? dangers : chosenFor(asked, 'caution')
  const warned = cared.flatMap(([sentences]) => sentences(asked, content))
  // If all cautions are about allowances, the usual sentences follow, because allowances do not describe a whole batch.
  const isOfAllowance = dangers.length === 0 && cared.every(([sentences]) => sentences === allowances)
  const fails = failure(asked)
  const more = fails.length === 0 && (warned.length === 0 || isOfAllowance) ? usual(asked, content) : []
  // A failing request has no effects, so cautions are left out. Dangers stay, because the request may succeed later.
  const sentences = [...fails, ...(fails.length === 0 || dangers.length > 0 ? warned : []), ...more]
  const [first, second] = [...new Set(sentences)].slice(0, MOST_SENTENCES)
  return first !== undefined && second !== undefined ? text('says_then', first, startSentence(second)) : first
}
