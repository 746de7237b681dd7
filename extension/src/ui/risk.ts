/** Which finding owns the risk band. */
import type { RiskLevel } from '../messages.ts'

const ORDER: readonly RiskLevel[] = ['none', 'caution', 'danger', 'blocked']

/** All findings, the worst first; those of one level stay in their order. */
export const bySeverity = <T extends { level: RiskLevel }>(findings: readonly T[]): T[] =>
  findings.toSorted((one, other) => ORDER.indexOf(other.level) - ORDER.indexOf(one.level))

/** The first finding of the highest level, if there is any. */
export const worstOf = <T extends { level: RiskLevel }>(findings: readonly T[]): T | undefined =>
  bySeverity(findings)[0]

export const levelOf = (findings: readonly { level: RiskLevel }[]): RiskLevel => worstOf(findings)?.level ?? 'none'

/** A title as it reads after "Danger:" and the like: in lower case, unless it begins with an abbreviation. */
export const midSentence = (title: string): string =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
