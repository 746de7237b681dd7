/** Creates findings, and merges several calls' findings. */
import type { Finding, FindingName, RiskLevel } from '../../messages.ts'

export const finding = (level: RiskLevel, name: FindingName, ...values: readonly unknown[]): Finding => ({
  level,
  name,
  values: values.map(String),
})

const LEVELS = ['none', 'caution', 'danger', 'blocked'] as const
const higher = (one: RiskLevel, other: RiskLevel): RiskLevel =>
  LEVELS.indexOf(one) < LEVELS.indexOf(other) ? other : one

const isSameFinding = (one: Finding, other: Finding) => JSON.stringify(one.values) === JSON.stringify(other.values)

/**
 * Merges findings with the same name, at the first one's position and with the highest level. If their values differ,
 * the result has none, because they would describe only one occurrence.
 */
export const once = (findings: readonly Finding[]): Finding[] => {
  const found = new Map<FindingName, Finding>()
  for (const next of findings) {
    const before = found.get(next.name) ?? next
    const values = isSameFinding(before, next) ? next.values : []
    found.set(next.name, { name: next.name, level: higher(before.level, next.level), values })
  }
  return [...found.values()]
}

/** Keeps, for each name, the first finding with the highest level, at the position of the name's first finding. */
export const worstOfEach = (findings: readonly Finding[]): Finding[] => {
  const found = new Map<FindingName, Finding>()
  for (const next of findings) {
    const before = found.get(next.name)
    if (!before || (before.level !== next.level && higher(before.level, next.level) === next.level))
      found.set(next.name, next)
  }
  return [...found.values()]
}
