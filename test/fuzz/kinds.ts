/** The kinds of requests that are fuzzed. Kinds with more fixtures and mutations get more cases. */
import type { Kind } from './case.ts'
import { fees } from './fees.ts'
import { foreignSignIns, messages } from './messages.ts'
import { names } from './names.ts'
import { payments } from './payments.ts'
import { safeRefunds } from './safe-refunds.ts'
import { transactions } from './transactions.ts'
import { traps } from './traps.ts'
import { typedData } from './typed-data.ts'

export const KINDS: readonly Kind[] = [
  ...Array<Kind>(5).fill(transactions),
  ...Array<Kind>(5).fill(typedData),
  ...Array<Kind>(2).fill(messages),
  ...Array<Kind>(2).fill(foreignSignIns),
  ...Array<Kind>(2).fill(names),
  fees,
  ...Array<Kind>(2).fill(payments),
  ...Array<Kind>(2).fill(traps),
  ...Array<Kind>(2).fill(safeRefunds),
]
