/** Requests with the level that each must have, and the facts in the first line that the user reads. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RiskLevel } from '../../extension/src/messages.ts'
import { dangerousCoins } from './dangerous-coins.ts'
import { dangerousControl } from './dangerous-control.ts'
import { dangerousMessages } from './dangerous-messages.ts'
import { dangerousOrders } from './dangerous-orders.ts'
import { dangerousRights } from './dangerous-rights.ts'
import { dangerousTransfers } from './dangerous-transfers.ts'
import { everydayOrders } from './everyday-orders.ts'
import { everydayPayments } from './everyday-payments.ts'
import { everydaySwaps } from './everyday-swaps.ts'
import type { DangerousRow, EverydayRow } from './rows.ts'
import { type Shown, startWorld, type World } from './world.ts'

const dangerous: readonly DangerousRow[] = [
  ...dangerousCoins,
  ...dangerousRights,
  ...dangerousTransfers,
  ...dangerousOrders,
  ...dangerousControl,
  ...dangerousMessages,
]
const everyday: readonly EverydayRow[] = [...everydaySwaps, ...everydayOrders, ...everydayPayments]

const LEVELS: readonly RiskLevel[] = ['none', 'caution', 'danger', 'blocked']

let world: World
/** Names of the rows that have the required level. */
const atLevel = new Set<string>()

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => {
  const count = (rows: readonly { name: string }[]) =>
    `${rows.filter(row => atLevel.has(row.name)).length}/${rows.length}`
  console.log(`at their level: ${count(dangerous)} dangerous, ${count(everyday)} everyday requests`)
})

/** Matches an amount with its unit, but not as the end of a longer number. */
const patternOf = (fact: string | RegExp): RegExp =>
  typeof fact === 'string' ? new RegExp(`(?<![\\d.])${fact.replaceAll('.', '\\.')}\\b`) : fact

const missingIn = ({ says }: DangerousRow | EverydayRow, title: string): string[] =>
  says.map(patternOf).flatMap(pattern => (pattern.test(title) ? [] : [`the title lacks ${pattern}`]))

const summaryOf = (shown: Shown): string => {
  if (shown.refused !== null) return `refused: ${shown.refused}`
  const findings = shown.findings.filter(({ level }) => level !== 'none').map(({ level, name }) => `${level} ${name}`)
  return `${shown.level}: ${shown.title} [${findings.join(', ')}]`
}

const check = async (row: DangerousRow | EverydayRow, isRight: (shown: Shown) => boolean) => {
  const shown = await world.show(row)
  const hasLevel = isRight(shown)
  if (hasLevel) atLevel.add(row.name)
  const wrong = [
    ...(hasLevel ? [] : ['the level is wrong']),
    ...(shown.refused === null ? missingIn(row, shown.title) : []),
  ]
  expect(wrong, summaryOf(shown)).toEqual([])
}

test('there are 96 dangerous and 40 everyday requests, each with a unique name', () => {
  expect([dangerous.length, everyday.length]).toEqual([96, 40])
  expect(new Set([...dangerous, ...everyday].map(({ name }) => name)).size).toBe(136)
})

for (const row of dangerous)
  test(row.name, () =>
    check(row, shown => shown.refused !== null || LEVELS.indexOf(shown.level) >= LEVELS.indexOf(row.atLeast)),
  )

for (const row of everyday)
  test(row.name, () =>
    check(row, shown => shown.refused === null && LEVELS.indexOf(shown.level) <= LEVELS.indexOf(row.atMost)),
  )
