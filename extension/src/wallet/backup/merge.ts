/**
 * Merges a backup into the wallet, item by item: what the wallet lacks is added, what is equal changes nothing, and of
 * two that differ the user chooses. A review discards the result, an import stores it.
 */
import type { BackupItem, BackupValues, EntryReview, ListedNetwork, SectionName } from '../../messages.ts'
import { sortedJson } from '../storage/sorted-json.ts'
import { reasonView, rpcError, toRpcError } from '../text/errors.ts'
import {
  type BackupParts,
  type Comparison,
  type Context,
  type Fitting,
  type Held,
  plain,
  type Section,
} from './section.ts'
import { SECTION_NAMES, SECTIONS } from './sections.ts'

/** Reasons which mean that the wallet already has the item. */
const KNOWN: ReadonlySet<string> = new Set(['accountExists', 'networkExists', 'ownContact'])

type Item<S extends SectionName> = { kind: 'item'; section: S; value: BackupValues[S] }
/** An item after its judgement: what would be stored, or null. */
type Judged<S extends SectionName> = { review: EntryReview; stored: BackupValues[S] | null }

const itemsOf = async <S extends SectionName>(section: Section<S>, parts: BackupParts) =>
  new Map((await section.read(parts)).map(value => [section.idOf(value), value]))

/** Reads everything of which a backup has items. Throws 4100 while locked. */
export const readContext = async (
  parts: BackupParts,
  catalogue: readonly ListedNetwork[],
  password?: string,
): Promise<Context> => {
  await parts.vault.read()
  const held: Partial<Record<SectionName, Map<string, unknown>>> = {}
  for (const name of SECTION_NAMES) held[name] = await itemsOf(SECTIONS[name] as Section<SectionName>, parts)
  return { parts, held: held as Held, catalogue, password }
}

const compare = <S extends SectionName>(
  section: Section<S>,
  value: BackupValues[S],
  known: BackupValues[S] | undefined,
  held: Held,
): Comparison => {
  if (known === undefined) return 'new'
  const comparison =
    section.compare?.(value, known, held) ?? (sortedJson(value) === sortedJson(known) ? 'same' : 'differs')
  return comparison === 'differs' && section.isUsual?.(known) === true ? 'new' : comparison
}

const addressOf = (value: object): string | null => ('address' in value ? String(value.address) : null)

const judge = async <S extends SectionName>(
  section: Section<S>,
  value: BackupValues[S],
  held: Held,
  fit: Fitting<BackupValues[S]>,
): Promise<Judged<S>> => {
  const items = held[section.name] as Map<string, BackupValues[S]>
  const id = section.idOf(value)
  const known = items.get(id)
  const before: EntryReview = { verdict: 'known', reason: null, address: addressOf(value), nodes: [], findings: [] }
  const comparison = compare(section, value, known, held)
  if (comparison === 'same') return { review: before, stored: null }
  try {
    const fitted = await fit(value)
    const isLaxer = section.isLaxer?.(fitted.value, known) === true
    const isConflict = comparison === 'differs' || isLaxer
    const review: EntryReview = {
      ...before,
      verdict: isConflict ? 'conflict' : 'new',
      reason: isLaxer ? { reason: 'backupLaxer', values: {} } : null,
      findings: fitted.findings,
      ...(known !== undefined && isConflict && { held: itemOf(section.name, known) }),
    }
    return { review, stored: fitted.value }
  } catch (thrown) {
    const reason = reasonView(toRpcError(thrown))
    return { review: { ...before, verdict: KNOWN.has(reason.reason) ? 'known' : 'refused', reason }, stored: null }
  }
}

const itemOf = <S extends SectionName>(section: S, value: BackupValues[S]): BackupItem =>
  ({ kind: 'item', section, value }) as BackupItem

/** Judges a section's items in turn. Each is judged as if the new ones before it had been added. */
const judgeSection = async <S extends SectionName>(
  section: Section<S>,
  context: Context,
  items: readonly Item<S>[],
): Promise<Judged<S>[]> => {
  const fit = (await section.fitting?.(context)) ?? plain
  const held = context.held[section.name] as Map<string, BackupValues[S]>
  const all: Judged<S>[] = []
  for (const { value } of items) {
    const judged = await judge(section, value, context.held, fit)
    if (judged.stored !== null && judged.review.verdict === 'new') held.set(section.idOf(judged.stored), judged.stored)
    all.push(judged)
  }
  return all
}

type Step = { name: SectionName; items: readonly Item<SectionName>[]; judged: readonly Judged<SectionName>[] }

/** Judges items section by section. Calls `after` once each section is judged. */
const judgeEach = async (context: Context, items: readonly BackupItem[], after: (step: Step) => Promise<void>) => {
  for (const name of SECTION_NAMES) {
    const own = items.filter(({ section }) => section === name) as Item<SectionName>[]
    if (own.length === 0) continue
    const judged = await judgeSection(SECTIONS[name] as Section<SectionName>, context, own)
    await after({ name, items: own, judged })
  }
}

/** Reviews the items in their order. */
export const reviewItems = async (context: Context, items: readonly BackupItem[]): Promise<EntryReview[]> => {
  const reviews = new Map<unknown, EntryReview>()
  await judgeEach(context, items, async step => {
    for (const [at, item] of step.items.entries()) {
      const review = step.judged[at]?.review
      if (review) reviews.set(item, review)
    }
  })
  return items.map(item => reviews.get(item) ?? unreviewed())
}

const unreviewed = (): never => {
  throw rpcError('internal')
}

/**
 * Stores the items, and replaces what conflicts with them, section by section. Returns the number of stored items. A
 * section is stored as a whole, and an import that was stopped can be repeated.
 */
export const restoreItems = async (context: Context, items: readonly BackupItem[]): Promise<number> => {
  let count = 0
  await judgeEach(context, items, async ({ name, judged }) => {
    const stored = judged.flatMap(one => (one.stored === null ? [] : [one.stored]))
    if (stored.length === 0) return
    const section = SECTIONS[name] as Section<SectionName>
    for (const value of stored) (context.held[name] as Map<string, unknown>).set(section.idOf(value), value)
    await section.write(context, stored)
    count += stored.length
  })
  return count
}
