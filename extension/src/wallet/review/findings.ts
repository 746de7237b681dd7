/** Findings of a review: how they are made, and how those of several calls become one list. */
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
 * Each finding once, at its highest level and in the place of the first. Where the values differ there are none: those of
 * one do not stand for all.
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
