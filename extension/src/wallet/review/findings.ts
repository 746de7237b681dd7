/** Creates findings, and merges those of several calls. */
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
 * Keeps one finding of each name, at its highest level and in the position of the first. If the values differ, the
 * result has none, since they would describe only one of the occurrences.
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

/** Keeps the first finding of the highest level of each name, where the first of that name was. */
export const worstOfEach = (findings: readonly Finding[]): Finding[] => {
  const found = new Map<FindingName, Finding>()
  for (const next of findings) {
    const before = found.get(next.name)
    if (!before || (before.level !== next.level && higher(before.level, next.level) === next.level))
      found.set(next.name, next)
  }
  return [...found.values()]
}
