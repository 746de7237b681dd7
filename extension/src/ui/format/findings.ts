/** Words findings in the user's language. */
import type { Finding, FindingName, RequestView, TokenView } from '../../messages.ts'
import { shortAddress } from './address.ts'
import { badgeOf } from './badge.ts'
import { disagreementValues } from './checks.ts'
import { lengthFindings } from './length.ts'
import { formatBalance, formatCount, formatExact, formatFee, withUnit } from './numbers.ts'
import { plural, reasonText, type TextKey, text } from './text.ts'
import { cutName, cutStart } from './text-safety.ts'
import { formatDay, formatMoment } from './times.ts'
import { endOf, findToken, heldOf, tokenAmount, tokenName, tokensOf } from './tokens.ts'

/** A finding as it is shown. `loss` labels the confirmation checkbox; only dangers have one. */
export type Warning = { level: Finding['level']; name: FindingName; title: string; text: string; loss: string }
type Words = Pick<Warning, 'title' | 'text' | 'loss'>

/** The parts of a request that the wording of a finding needs. */
export type Asked = Pick<RequestView, 'network' | 'effect'>

const losses: Partial<Record<FindingName, TextKey>> = {
  allowanceOfMost: 'loss_allowanceOfMost',
  allowsNoCode: 'loss_allowsNoCode',
  behavesDifferently: 'loss_behavesDifferently',
  dustOrder: 'loss_dustOrder',
  gainElsewhere: 'loss_gainElsewhere',
  givesControl: 'loss_givesControl',
  itemAllowance: 'loss_itemAllowance',
  mostOfAsset: 'loss_mostOfAsset',
  unexplainedLoss: 'loss_unexplainedLoss',
  approvalForAll: 'loss_approvalForAll',
  delegateCall: 'loss_delegateCall',
  emptyOrder: 'loss_emptyOrder',
  handsOverAccount: 'loss_handsOverAccount',
  excessiveFee: 'loss_excessiveFee',
  feeOfBalance: 'loss_feeOfBalance',
  imitatedAsset: 'loss_imitatedAsset',
  imitatedName: 'loss_imitatedName',
  imitatedNetwork: 'loss_imitatedNetwork',
  imitatedSite: 'loss_imitatedSite',
  lookalikeAddress: 'loss_lookalikeAddress',
  malformedCall: 'loss_malformedCall',
  nameMoved: 'loss_nameMoved',
  nodesDisagree: 'loss_nodesDisagree',
  namesakeAsset: 'loss_namesakeAsset',
  namesakeNetwork: 'loss_namesakeNetwork',
  nestedTooDeep: 'loss_nestedTooDeep',
  paysNoContract: 'loss_paysNoContract',
  replacesCode: 'loss_replacesCode',
  sentToToken: 'loss_sentToToken',
  sentToZero: 'loss_sentToZero',
  signInElsewhere: 'loss_signInElsewhere',
  signInOtherAccount: 'loss_signInOtherAccount',
  tokenWithoutCode: 'loss_tokenWithoutCode',
  tooManyAllowances: 'loss_tooManyAllowances',
  unlimitedAllowance: 'loss_unlimitedAllowance',
}

/** Longest site name, in characters. A longer one would push the sentence out of view. */
const LONGEST_SITE = 80

const counts = (values: readonly string[]) => values.map(count => formatCount(Number(count)))
const day = (time: string | undefined) => formatDay(Number(time))
const site = (value = '') => cutStart(value, LONGEST_SITE)
const short = (value = '') => shortAddress(value)
const GWEI_DECIMALS = 9
const gwei = (wei = '0') => formatFee(BigInt(wei), GWEI_DECIMALS)
/** Formats the values of a fee finding: the multiple of the fast price, the offered price and the fast price. */
const prices = ([times, ...wei]: readonly string[]) => [...counts(times === undefined ? [] : [times]), ...wei.map(gwei)]

/** Formats the values of findings about ENS names, which are shown in full, because their end matters most. */
const ofNames: Partial<Record<FindingName, (values: readonly string[]) => string[]>> = {
  imitatedName: ([name = '', known = '']) => [name, known],
  lookalikeName: ([name = '']) => [name],
  mixedScripts: ([name = '']) => [name],
  nameMoved: ([name = '', contact = '', ...addresses]) => [name, contact, ...addresses.map(short)],
  nameOfEthereum: ([name = '']) => [name],
}

/** Findings about missing lists, without which an address that imitates another is not recognized. */
const unseen: readonly FindingName[] = ['contactsMissing', 'activityMissing']

/** Formats the values of a finding. Findings without an entry show their values unchanged. */
const readers: Partial<Record<FindingName, (values: readonly string[], asked: Asked) => string[]>> = {
  allowsNoCode: ([, , spender]) => [short(spender)],
  coinsToUnknown: ([to, , wei = '0'], { network: { decimals, symbol } }) => [
    short(to),
    withUnit(formatExact(BigInt(wei), decimals), symbol),
  ],
  createsContract: counts,
  excessiveFee: prices,
  feeOfBalance: ([atMost = '0', balance = '0'], { network: { decimals, symbol } }) => [
    formatFee(BigInt(atMost), decimals),
    formatBalance(BigInt(balance), decimals),
    symbol,
  ],
  highFee: prices,
  gasPriceJumped: ([now, before, at]) => [gwei(now), gwei(before), day(at)],
  delegateCall: values => values.map(short),
  gainElsewhere: ([to]) => [short(to)],
  gasTooLow: counts,
  givesControl: ([, to = '']) => (to === '' ? [] : [short(to)]),
  itemAllowance: ([, , spender]) => [short(spender)],
  mostOfAsset: ([to]) => [short(to)],
  nodesDisagree: disagreementValues,
  unknownContract: ([contract]) => [short(contract)],
  longMessage: counts,
  manyCalls: counts,
  notText: counts,
  insufficientFunds: (values, { network: { decimals, symbol } }) => [
    ...values.map(wei => formatFee(BigInt(wei), decimals)),
    symbol,
  ],
  imitatedSite: ([shown, known, since]) => [site(shown), site(known), day(since)],
  knownSite: ([host, since]) => [site(host), day(since)],
  likelyToFail: ([said = '', reason]) => [reason === undefined ? said : reasonText({ reason, values: {} })],
  lookalikeAddress: ([address, known = '', name]) => [
    short(address),
    name === '' ? `${text('addressUsedBefore')}, ${short(known)}` : `${name}, ${short(known)}`,
  ],
  replacesCode: ([delegate]) => [short(delegate)],
  sentBefore: ([times]) => [plural('times', Number(times))],
  signInElsewhere: ([origin, named]) => [site(origin), site(named)],
  signInOtherAccount: ([named, account]) => [short(named), short(account)],
  contractAsText: ([named = '']) => [cutName(named)],
  undeclaredFields: places => [places.map(place => cutName(place)).join(', ')],
}

const tokenOf = ({ values }: Finding, { effect }: Asked): TokenView | undefined =>
  values[0] === undefined ? undefined : findToken(tokensOf(effect).tokens, values[0])

/** Texts for findings without values: several findings were merged into one, or control is given to no address. */
const severals: Partial<Record<FindingName, TextKey>> = {
  createsContract: 'finding_createsContract_several',
  delegateCall: 'finding_delegateCall_several',
  excessiveFee: 'finding_fees_several',
  gasTooLow: 'finding_gasTooLow_several',
  givesControl: 'finding_givesControl_nobody',
  highFee: 'finding_fees_several',
  malformedCall: 'finding_malformedCall_several',
}

const general = (finding: Finding, asked: Asked): Words => {
  const { name } = finding
  const values = ofNames[name]?.(finding.values) ?? readers[name]?.(finding.values, asked) ?? [...finding.values]
  const loss = losses[name]
  const several = values.length === 0 ? severals[name] : undefined
  return {
    title: text(`finding_${name}`, ...values),
    text: text(several ?? `finding_${name}_text`, ...values),
    loss: loss === undefined ? '' : text(loss, ...values),
  }
}

/** Wordings with the token's name and amounts, if those are known. */
const ofTokens: Partial<Record<FindingName, (finding: Finding, asked: Asked) => Partial<Words>>> = {
  unlimitedAllowance: (finding, asked) => {
    const token = tokenOf(finding, asked)
    const name = tokenName(token)
    if (!token || name === '') return {}
    const held = token.balance === '0' ? undefined : heldOf(token)
    return {
      title: text('finding_unlimitedAllowance_of', name),
      text: text('finding_unlimitedAllowance_ofText', held ?? name),
      loss: text('loss_unlimitedAllowance_of', name),
    }
  },
  unknownSpender: (finding, asked) => {
    const [, allowed = '0'] = finding.values
    // If the token's decimals are unknown, "0" could be an item's id instead of an amount, so the generic text is kept.
    const amount = allowed === '0' ? undefined : tokenAmount(allowed, tokenOf(finding, asked))
    return amount === undefined ? {} : { text: text('finding_unknownSpender_of', amount) }
  },
  movesTokens: (_, { effect }) => {
    const { acts, tokens } = tokensOf(effect)
    const [act] = acts
    if (acts.length !== 1 || act?.kind !== 'allow' || act.amount === null) return {}
    const amount = tokenAmount(act.amount, findToken(tokens, act.token))
    if (amount === undefined) return {}
    const end = endOf(act.until)
    return {
      text:
        end === null
          ? text('finding_movesTokens_ever', amount)
          : text('finding_movesTokens_until', amount, formatMoment(end)),
    }
  },
}

export const inWords = (finding: Finding, asked: Asked): Warning => ({
  level: finding.level,
  name: finding.name,
  ...general(finding, asked),
  ...ofTokens[finding.name]?.(finding, asked),
})

/** Words the findings about an ENS name, and about lists that a typed address was not compared with. */
export const addressMarks = (findings: readonly Finding[]): Pick<Warning, 'level' | 'name' | 'title' | 'text'>[] =>
  findings.flatMap(({ level, name, values }) => {
    const shown = unseen.includes(name)
      ? []
      : name === 'nodesDisagree'
        ? disagreementValues(values, null)
        : ofNames[name]?.(values)
    return shown
      ? [{ level, name, title: text(`finding_${name}`, ...shown), text: text(`finding_${name}_text`, ...shown) }]
      : []
  })

/** Words all findings. Adds a finding if the browser reports a site that the user connected. */
export const checksOf = (
  request: Pick<RequestView, 'network' | 'effect' | 'findings' | 'origin' | 'since'>,
): Warning[] => {
  const { origin, since, findings } = request
  const { kind } = badgeOf(origin, since, Date.now(), findings)
  const known: Finding[] =
    kind === 'connected' ? [{ level: 'none', name: 'knownSite', values: [new URL(origin).host, String(since)] }] : []
  return [...findings, ...lengthFindings(request.effect), ...known].map(finding => inWords(finding, request))
}
