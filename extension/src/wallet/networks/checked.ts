/** Judges a comparison of nodes: how each fact that a review shows is checked, and where the nodes disagree. */
import type { CheckedFact, ChecksView, FactName, Finding, RiskLevel } from '../../messages.ts'
import type { Comparison, Told } from './compare.ts'

/** Returns what the review shows of a fact, if it does not fit the value, or null if it fits or is not shown. */
export type ShownInstead = (told: Told, value: string) => string | null

/**
 * What is at stake if the node lies. A wrong nonce delays a transaction; every other fact decides how much may be lost,
 * or to whom.
 */
const LEVELS: Readonly<Partial<Record<FactName, RiskLevel>>> = { nonce: 'caution' }

const judge = (told: Told, { isMoving }: Comparison, shownInstead: ShownInstead): CheckedFact => {
  const { fact, mine, other, proved } = told
  const about = { fact: fact.name, about: fact.about }
  const value = proved ?? (mine === other ? mine : null)
  if (value === null)
    return mine === null || other === null
      ? { ...about, by: 'alone' }
      : { ...about, by: 'differs', said: [mine, other] }
  if (mine !== null && mine !== value) return { ...about, by: 'differs', said: [mine, value] }
  // The reading node told something else before. That is no lie if the chain has moved on since.
  const shown = shownInstead(told, value)
  if (shown !== null) return isMoving ? { ...about, by: 'alone' } : { ...about, by: 'differs', said: [shown, value] }
  if (proved === null) return { ...about, by: 'agreed' }
  return { ...about, by: 'proved', ...(other !== null && other !== value && { said: [value, other] as const }) }
}

const blockFact = ({ block }: Comparison): CheckedFact[] => {
  const [mine, other] = block?.hashes ?? [null, null]
  return mine !== null && other !== null && mine !== other
    ? [{ fact: 'block', about: '', by: 'differs', said: [mine, other] }]
    : []
}

/** Makes the finding of a disagreement: the fact, its address, and each node's host and answer. */
export const disagreement = (
  level: RiskLevel,
  { fact, about, said: [mine, other] = ['', ''] }: CheckedFact,
  [ownHost, otherHost]: readonly [string, string],
): Finding => ({ level, name: 'nodesDisagree', values: [fact, about, ownHost, mine, otherHost, other] })

/** Judges a comparison. */
export const judgeComparison = (
  comparison: Comparison,
  shownInstead: ShownInstead = () => null,
): { view: ChecksView; findings: readonly Finding[] } => {
  const { hosts, block, told } = comparison
  const facts = [...blockFact(comparison), ...told.map(one => judge(one, comparison, shownInstead))]
  const findings = facts.flatMap(fact => {
    if (!fact.said) return []
    // A proof shows that the reading node is right.
    const level = fact.by === 'proved' ? 'caution' : (LEVELS[fact.fact] ?? 'danger')
    return [disagreement(level, fact, hosts)]
  })
  return { view: { hosts, block: block && String(block.number), facts }, findings }
}
