/** Words how facts that nodes tell are checked, and what nodes that disagree say. */
import type { CheckedBy, CheckedFact, ChecksView, Effect, FactName, NetworkView } from '../../messages.ts'
import { shortAddress } from './address.ts'
import { listOf } from './amounts.ts'
import type { IconName } from './icons.ts'
import { formatCount, formatExact, withUnit } from './numbers.ts'
import { text } from './text.ts'
import { cutStart } from './text-safety.ts'
import { findToken, shortNumber, tokenAmount, tokensOf } from './tokens.ts'

/** Hash of no code, as in the wallet's checks. */
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
/** Address of a name that has none. */
const NO_ADDRESS = '0x'
const IS_HEX = /^0x/
const IS_NUMBER = /^\d+$/

/** Worst first. */
const ORDER: readonly CheckedBy[] = ['differs', 'alone', 'agreed', 'proved']

export const CHECKED_LOOK: Readonly<Record<CheckedBy, { icon: IconName; tone: string }>> = {
  differs: { icon: 'danger', tone: 'bad' },
  alone: { icon: 'info', tone: 't2' },
  agreed: { icon: 'check', tone: 't2' },
  proved: { icon: 'check-circle', tone: 'ok' },
}

/** The facts that are checked in the same way. */
export type CheckedGroup = { by: CheckedBy; facts: string }

/** Groups facts by how they are checked, worst first. */
export const checkedGroups = ({ facts }: ChecksView): readonly CheckedGroup[] =>
  ORDER.flatMap(by => {
    const names = new Set(facts.filter(fact => fact.by === by).map(({ fact }) => fact))
    return names.size === 0 ? [] : [{ by, facts: listOf([...names].map(name => text(`fact_${name}`))) }]
  })

/** Returns how the facts are checked that are checked worst. */
export const worstCheck = ({ facts }: ChecksView): CheckedBy =>
  ORDER.find(by => facts.some(fact => fact.by === by)) ?? 'alone'

/** Longest host in a sentence, in characters. The end of a host matters most. */
const LONGEST_HOST = 80

const shown = (host: string): string => cutStart(host, LONGEST_HOST)

/** Names both nodes and the block at which they were compared. */
export const comparedAt = ({ hosts: [mine, other], block }: ChecksView): string =>
  block === null
    ? text('checkedLate', shown(mine), shown(other))
    : text('checkedAt', shown(mine), shown(other), formatCount(Number(block)))

type Asked = { network: Pick<NetworkView, 'decimals' | 'symbol'>; effect: Effect }

/** Words a node's value of a fact. `about` is the fact's address. `asked` is null for a fact that is no amount. */
const factValue = (fact: string, about: string, value: string, asked: Asked | null): string => {
  if (fact === 'code' && value === NO_CODE) return text('factNoCode')
  if (fact === 'code') return IS_HEX.test(value) ? text('factCode', shortAddress(value)) : text('factSomeCode')
  if (fact === 'name' && value === NO_ADDRESS) return text('factNoAddress')
  if (!IS_NUMBER.test(value)) return shortAddress(value)
  // A larger number would lose digits.
  if (fact === 'nonce' || asked === null)
    return Number.isSafeInteger(Number(value)) ? formatCount(Number(value)) : value
  const { network, effect } = asked
  if (fact === 'balance') return withUnit(formatExact(BigInt(value), network.decimals), network.symbol)
  return tokenAmount(value, findToken(tokensOf(effect).tokens, about)) ?? shortNumber(value)
}

/** Returns the values of the finding `nodesDisagree` as its text shows them: the fact, then each node with its value. */
export const disagreementValues = (
  [fact = '', about = '', ownHost = '', own = '', otherHost = '', other = '']: readonly string[],
  asked: Asked | null,
): string[] => [
  text(`fact_${fact as FactName}`),
  shown(ownHost),
  factValue(fact, about, own, asked),
  shown(otherHost),
  factValue(fact, about, other, asked),
]

/** Returns the facts on which the nodes disagree. */
export const disagreements = ({ facts }: ChecksView): readonly CheckedFact[] => facts.filter(({ said }) => said)

/** Words both nodes' values of a fact on which they disagree. */
export const saidOf = ({ fact, about, said: [own, other] = ['', ''] }: CheckedFact, asked: Asked): [string, string] => [
  factValue(fact, about, own, asked),
  factValue(fact, about, other, asked),
]
