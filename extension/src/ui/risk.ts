/** Which finding owns the risk band. */
import type { FindingName, RiskLevel } from '../messages.ts'

const ORDER: readonly RiskLevel[] = ['none', 'caution', 'danger', 'blocked']

/** All findings, the worst first; those of one level stay in their order. */
export const bySeverity = <T extends { level: RiskLevel }>(findings: readonly T[]): T[] =>
  findings.toSorted((one, other) => ORDER.indexOf(other.level) - ORDER.indexOf(one.level))

/** Whether a finding of level `none` is worth knowing, and no check that was passed. */
export const isNote = (name: FindingName): boolean => name === 'firstRecipient' || name === 'ignoredFields'

type Warns<T> = T & { level: Exclude<RiskLevel, 'none'> }

/** What warns, and not what was found as it should be. */
export const warningsIn = <T extends { level: RiskLevel }>(findings: readonly T[]): Warns<T>[] =>
  findings.filter((finding): finding is Warns<T> => finding.level !== 'none')

/** The first finding of the highest level, if there is any that warns. */
export const worstOf = <T extends { level: RiskLevel }>(findings: readonly T[]): Warns<T> | undefined =>
  bySeverity(warningsIn(findings))[0]

export const levelOf = (findings: readonly { level: RiskLevel }[]): RiskLevel => worstOf(findings)?.level ?? 'none'

/** A title as it reads after "Danger:" and the like: in lower case, unless it begins with an abbreviation or is German. */
export const midSentence = (title: string, language: string): string =>
  language !== 'de' && /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
