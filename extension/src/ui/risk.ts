/** Which finding owns the risk band. */
import type { Finding, RiskLevel } from '../messages.ts'

const ORDER: readonly RiskLevel[] = ['none', 'caution', 'danger', 'blocked']

/** A finding that is more than a check which found nothing. */
export type Warning = Finding & { level: Exclude<RiskLevel, 'none'> }

const isWarning = (finding: Finding): finding is Warning => finding.level !== 'none'

/** All findings, the worst first; those of one level stay in their order. */
export const bySeverity = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((one, other) => ORDER.indexOf(other.level) - ORDER.indexOf(one.level))

/** The first finding of the highest level, if any warns. */
export const worstOf = (findings: readonly Finding[]): Warning | undefined => bySeverity(findings).find(isWarning)

export const levelOf = (findings: readonly Finding[]): RiskLevel => worstOf(findings)?.level ?? 'none'

/** A title as it reads after "Danger:" and the like: in lower case, unless it begins with an abbreviation. */
export const midSentence = (title: string): string =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
