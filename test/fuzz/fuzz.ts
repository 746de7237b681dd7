/**
 * Monotone risk: if a mutated request has an effect at least as bad, the wallet must show at least the same level. A
 * real EVM determines the effect.
 */
import { type Random, randomFrom } from '../support/random.ts'
import { type Case, type Harm, isAsBad, isHarmless, type Kind, type Shown, type Subject } from './case.ts'
import type { Review } from './review.ts'
import type { Scene, World } from './world.ts'

type Reviewed = { one: Case; subject: Subject; shown: Shown }
type Judged = Reviewed & { harm: Harm }

export type Failure = { one: Case; request: unknown; shown: string; plain: string }
/**
 * Numbers of cases, by fixture and by mutation. `compared` counts cases whose effect is at least as bad. It leaves out
 * refused cases, unless the plain request is refused too.
 */
export type Count = { cases: number; compared: number; refused: number; failures: number }
export type Report = {
  cases: number
  seconds: number
  failures: number
  /** The first failures, each reduced to as few mutations as possible. */
  examples: readonly Failure[]
  byFixture: ReadonlyMap<string, Count>
  byMutation: ReadonlyMap<string, Count>
}

type Parts = {
  world: Pick<World, 'observe'>
  review: Review
  /** A kind that occurs several times gets more cases. */
  kinds: readonly Kind[]
  cases: number
  seed: number
}

const RANK = { none: 0, caution: 1, danger: 2, blocked: 3 }
/** Number of cases in a batch of calls to the chain. */
const LOT = 200
/** Maximum number of failures that are reduced and reported. Further failures are only counted. */
const EXAMPLES = 10
const SEEDS = 2 ** 31

/** Returns the item at a position. After the end, the list starts again. */
const itemAt = <T>(items: readonly T[], at: number): T => {
  const item = items[at % items.length]
  if (item === undefined) throw new Error('nothing to take from')
  return item
}

/** Takes the kinds in turn, and each kind's fixtures in turn, so that a small number of cases covers all of them. */
const createGenerator = (kinds: readonly Kind[]) => {
  const turns = new Map<string, number>()
  return (at: number, random: Random): Case => {
    const kind = itemAt(kinds, at)
    const turn = turns.get(kind.name) ?? 0
    turns.set(kind.name, turn + 1)
    const fixture = itemAt(kind.fixtures, turn)
    return { kind: kind.name, fixture, mutations: kind.mutationsFor(fixture, random) }
  }
}

const describe = ({ level, findings }: Shown) => `${level} (${findings.join(', ')})`

const asText = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member)))

export const fuzz = async ({ world, review, kinds, cases, seed }: Parts): Promise<Report> => {
  const started = performance.now()
  const byFixture = new Map<string, Count>()
  const byMutation = new Map<string, Count>()
  const plain = new Map<string, Judged>()
  const examples: Failure[] = []
  const generate = createGenerator(kinds)
  let failures = 0

  const kindOf = (wanted: string): Kind => {
    const kind = kinds.find(({ name }) => name === wanted)
    if (!kind) throw new Error(`no kind ${wanted}`)
    return kind
  }

  const tell = ({ one, subject, shown }: Judged, plain: string) => {
    failures++
    if (examples.length < EXAMPLES)
      examples.push({ one, request: asText(subject.request), shown: describe(shown), plain })
  }

  const reviewed = async (one: Case): Promise<Reviewed> => {
    const subject = kindOf(one.kind).build(one)
    return { one, subject, shown: await review(subject.request) }
  }

  const judged = async (all: readonly Reviewed[]): Promise<Judged[]> => {
    const scenes = all.map(({ subject, shown }) => subject.sceneOf(shown))
    const seen = await world.observe(scenes.filter((scene): scene is Scene => scene !== null))
    let next = 0
    return all.map((each, at) => ({
      ...each,
      harm: each.subject.harmOf(scenes[at] === null ? [] : (seen[next++] ?? []), each.shown),
    }))
  }

  /** Judges the fixture without mutations. All of its cases are compared with it. */
  const plainOf = async ({ kind, fixture }: Case): Promise<Judged> => {
    const key = `${kind} ${fixture}`
    const known = plain.get(key)
    if (known) return known
    const [judgement] = await judged([await reviewed({ kind, fixture, mutations: [] })])
    if (!judgement) throw new Error(`${key}: not judged`)
    const { harm, shown } = judgement
    if (isHarmless(harm)) throw new Error(`${key} has no effect: ${describe(shown)}`)
    const least = kindOf(kind).leastOf(fixture)
    if (shown.level === 'blocked' && least !== 'blocked') throw new Error(`${key} is refused: ${describe(shown)}`)
    plain.set(key, judgement)
    if (RANK[shown.level] < RANK[least]) tell(judgement, `at least ${least}`)
    return judgement
  }

  const fails = ({ shown, harm }: Pick<Judged, 'shown' | 'harm'>, base: Judged) =>
    RANK[shown.level] < RANK[base.shown.level] && isAsBad(harm, base.harm)

  const note = (counts: Map<string, Count>, name: string, { shown, harm }: Judged, base: Judged) => {
    const count = counts.get(name) ?? { cases: 0, compared: 0, refused: 0, failures: 0 }
    const isRefused = shown.level === 'blocked'
    const isBaseRefused = base.shown.level === 'blocked'
    counts.set(name, {
      cases: count.cases + 1,
      compared: count.compared + (isRefused === isBaseRefused && isAsBad(harm, base.harm) ? 1 : 0),
      refused: count.refused + (isRefused ? 1 : 0),
      failures: count.failures + (fails({ shown, harm }, base) ? 1 : 0),
    })
  }

  /** Removes mutations without which the case still fails. */
  const shortest = async (failed: Judged, base: Judged): Promise<Judged> => {
    for (const left of failed.one.mutations) {
      const mutations = failed.one.mutations.filter(mutation => mutation !== left)
      if (mutations.length === 0) continue
      const [shorter] = await judged([await reviewed({ ...failed.one, mutations })])
      if (shorter && fails(shorter, base)) return shortest(shorter, base)
    }
    return failed
  }

  const compare = async (lot: readonly Reviewed[]) => {
    for (const judgement of await judged(lot)) {
      const base = await plainOf(judgement.one)
      const { one } = judgement
      note(byFixture, `${one.kind}: ${one.fixture}`, judgement, base)
      for (const name of new Set(one.mutations.map(mutation => mutation.name)))
        note(byMutation, `${one.kind}: ${name}`, judgement, base)
      if (fails(judgement, base))
        tell(examples.length < EXAMPLES ? await shortest(judgement, base) : judgement, describe(base.shown))
    }
  }

  const reviewLot = async (from: number): Promise<Reviewed[]> => {
    const lot: Reviewed[] = []
    for (let at = from; at < Math.min(cases, from + LOT); at++)
      lot.push(await reviewed(generate(at, randomFrom(randomFrom(seed + at)(SEEDS)))))
    return lot
  }

  // The chain executes one batch while the wallet reviews the next.
  let last: Reviewed[] = []
  for (let from = 0; from < cases; from += LOT) [last] = await Promise.all([reviewLot(from), compare(last)])
  await compare(last)
  const seconds = (performance.now() - started) / 1000
  return { cases, seconds, failures, examples, byFixture, byMutation }
}

const table = (counts: ReadonlyMap<string, Count>): string => {
  const rows = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const line = (name: string, ...numbers: readonly (string | number)[]) =>
    `${name.padEnd(52)}${numbers.map(number => String(number).padStart(10)).join('')}`
  return [
    line('', 'cases', 'as bad', 'refused', 'failures'),
    ...rows.map(([name, count]) => line(name, count.cases, count.compared, count.refused, count.failures)),
  ].join('\n')
}

/** Formats the report as text. Failures come first, each with the parameters that repeat it. */
export const reportText = (report: Report, seed: number): string => {
  const { cases, seconds, failures, examples, byFixture, byMutation } = report
  const told = examples.map(
    ({ one, request, shown, plain }) =>
      `${one.kind} ${one.fixture}: ${one.mutations.map(({ name }) => name).join(', ')}\n` +
      `  plain: ${plain}\n  now:   ${shown}\n  ${JSON.stringify(request)}`,
  )
  const total = `${cases} cases in ${seconds.toFixed(1)} s, ${failures} failures, seed ${seed}`
  return [...told, table(byFixture), table(byMutation), total].join('\n\n')
}
