/** Sorts findings by severity, and picks the finding for the risk band. */
import type { FindingName, RiskLevel } from '../../messages.ts'

const ORDER: readonly RiskLevel[] = ['none', 'caution', 'danger', 'blocked']

type Ranked = { level: RiskLevel; name?: FindingName }

/** Ranks a finding. A failure comes first at its level, because a failing request has no other effects. */
const rankOf = ({ level, name }: Ranked): number => ORDER.indexOf(level) + (name === 'likelyToFail' ? 0.5 : 0)

/** Returns all findings, worst first. The sort is stable. */
export const bySeverity = <T extends Ranked>(findings: readonly T[]): T[] =>
  findings.toSorted((one, other) => rankOf(other) - rankOf(one))

const NOTES: readonly FindingName[] = ['explorersLeftOut', 'firstRecipient', 'ignoredFields', 'nodesLeftOut']

/** True if a finding of level `none` is information rather than a passed check. */
export const isNote = (name: FindingName): boolean => NOTES.includes(name)

type Warns<T> = T & { level: Exclude<RiskLevel, 'none'> }

/** Returns the findings that warn, without passed checks. */
export const warningsIn = <T extends Ranked>(findings: readonly T[]): Warns<T>[] =>
  findings.filter((finding): finding is Warns<T> => finding.level !== 'none')

/** Returns the first warning of the highest level, if any. */
export const worstOf = <T extends Ranked>(findings: readonly T[]): Warns<T> | undefined =>
  bySeverity(warningsIn(findings))[0]

export const levelOf = (findings: readonly Ranked[]): RiskLevel => worstOf(findings)?.level ?? 'none'

/**
 * Rewrites a title for use after "Danger:": uncapitalised, unless it starts with an abbreviation or the language is
 * German.
 */
export const midSentence = (title: string, language: string): string =>
  language !== 'de' && /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
