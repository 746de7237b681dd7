/** Puts into words the rights that a request gives: control of contracts and accounts, and allowances. */
import type { Act, TokenView } from '../../messages.ts'
import { sameAddress } from './address.ts'
import { item, nameOf } from './amounts.ts'
import { type Asked, isIdentified, partyName, partyOf } from './parties.ts'
import { type Content, fewOf, type Of, ofKind } from './summary-content.ts'
import { type TextKey, text } from './text.ts'
import { formatMoment } from './times.ts'
import { endOf, findToken, tokenAmount } from './tokens.ts'

const RIGHTS: Readonly<Record<Of<'control'>['right'], TextKey>> = {
  owner: 'says_right_owner',
  admin: 'says_right_owner',
  role: 'says_right_owner',
  upgrade: 'says_right_upgrade',
  name: 'says_right_name',
  safeOwner: 'says_right_safeOwner',
  safeModule: 'says_right_owner',
  safeGuard: 'says_right_owner',
  safeHandler: 'says_right_owner',
  safeThreshold: 'says_right_safeThreshold',
  module: 'says_right_owner',
  manager: 'says_right_manager',
  credit: 'says_right_credit',
  delegate: 'says_right_code',
  code: 'says_right_code',
}

/** Returns the subject of the right: the account itself, the debt's token, or a contract. */
const ownedBy = (asked: Asked, { right, of }: Of<'control'>, tokens: readonly TokenView[]): string => {
  if (right === 'delegate') return asked.account?.name ?? ''
  const token = right === 'credit' ? findToken(tokens, of) : undefined
  return token?.symbol == null ? partyName(asked, of, 'contract') : nameOf(token)
}

/** Returns a sentence about the gravest right that is given, and another one for a second holder. */
export const controls = (asked: Asked, content: Content): string[] => {
  const { acts } = content
  const rights = ofKind(acts, 'control').filter(
    ({ right, to }) => right !== 'code' || !partyOf(asked, to ?? '').role?.startsWith('safe-multisend'),
  )
  const isGrave = ({ to }: Of<'control'>) => to === null || !isIdentified(partyOf(asked, to))
  return [...rights.filter(isGrave), ...rights.filter(act => !isGrave(act))].map(act => {
    const of = ownedBy(asked, act, content.tokens)
    if (act.to !== null) return text(RIGHTS[act.right], partyName(asked, act.to, 'spender'), of)
    return act.right === 'safeThreshold' ? text(RIGHTS.safeThreshold, of) : text('says_right_nobody', of)
  })
}

const allowed = (asked: Asked, act: Of<'allow'>, tokens: readonly TokenView[]): string => {
  const token = findToken(tokens, act.token)
  if (act.amount === null) return text('amount_all', nameOf(token))
  if (act.id !== undefined) return item(asked, act.token, tokens, act.id)
  if (token?.collection) return item(asked, act.token, tokens, act.amount)
  const balance = token?.balance == null ? null : BigInt(token.balance)
  const shown = tokenAmount(act.amount, token) ?? nameOf(token)
  return balance !== null && balance > 0n && BigInt(act.amount) >= balance ? text('amount_all', shown) : shown
}

/** Time from now, in ms, beyond which an expiry counts as no expiry. */
const FAR = 50 * 365 * 24 * 3_600_000

const soonEndOf = (until: string | null): number | null => {
  const end = endOf(until)
  return end !== null && end - Date.now() > FAR ? null : end
}

const allowance = (asked: Asked, act: Of<'allow'> | Of<'allowAll'>, tokens: readonly TokenView[]): string => {
  const spender = partyName(asked, act.spender, 'spender')
  const name = nameOf(findToken(tokens, act.token))
  if (act.kind === 'allowAll') return text(act.allowed ? 'says_allowItems' : 'says_revoke', spender, name)
  if (act.amount === '0' && findToken(tokens, act.token)?.collection !== true) return text('says_revoke', spender, name)
  const end = soonEndOf(act.until)
  const what = allowed(asked, act, tokens)
  if (end !== null) return text('says_allowUntil', spender, what, formatMoment(end))
  if (act.amount === null) return text('says_allowEver', spender, what)
  return text(act.until === null ? 'says_allow' : 'says_allowForever', spender, what)
}

type Allowing = Of<'allow'> | Of<'allowAll'>

const isGiven = (act: Allowing, tokens: readonly TokenView[]): boolean =>
  act.kind === 'allowAll' ? act.allowed : act.amount !== '0' || findToken(tokens, act.token)?.collection === true

/**
 * Ranks rights: unlimited rights first, then rights over nearly all of a balance, so that small rights cannot hide
 * them.
 */
const rankOf = (act: Allowing, tokens: readonly TokenView[]): number => {
  if (act.kind === 'allowAll' || act.amount === null) return 2
  const balance = BigInt(findToken(tokens, act.token)?.balance ?? '0')
  return balance > 0n && BigInt(act.amount) * 10n >= balance * 9n ? 1 : 0
}

const isAllowing = (act: Act): act is Allowing => act.kind === 'allow' || act.kind === 'allowAll'

/** Returns a sentence for each spender: unidentified ones first, then those with larger rights. */
export const allowances = (asked: Asked, { acts, tokens }: Content): string[] => {
  const isKnown = (act: Allowing) => isIdentified(partyOf(asked, act.spender))
  const all = acts.filter(isAllowing)
  const given = all.filter(act => isGiven(act, tokens))
  const sorted = (given.length > 0 ? given : all).toSorted(
    (one, other) => Number(isKnown(one)) - Number(isKnown(other)) || rankOf(other, tokens) - rankOf(one, tokens),
  )
  const spenders = [...new Map(sorted.map(({ spender }) => [spender.toLowerCase(), spender])).values()]
  return spenders.map(spender => {
    const same = sorted.filter(act => sameAddress(act.spender, spender))
    const [first] = same
    if (first && same.length === 1) return allowance(asked, first, tokens)
    const what = same.map(act =>
      act.kind === 'allow' ? allowed(asked, act, tokens) : text('amount_all', nameOf(findToken(tokens, act.token))),
    )
    return text('says_allow', partyName(asked, spender, 'spender'), fewOf(what))
  })
}
