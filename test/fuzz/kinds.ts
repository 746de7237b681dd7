/** The fuzzed kinds of requests. Kinds with more mutations are picked more often. */
import type { Kind } from './case.ts'
import { fees } from './fees.ts'
import { foreignSignIns, messages } from './messages.ts'
import { names } from './names.ts'
import { transactions } from './transactions.ts'
import { typedData } from './typed-data.ts'

export const KINDS: readonly Kind[] = [
  ...Array<Kind>(5).fill(transactions),
  ...Array<Kind>(3).fill(typedData),
  ...Array<Kind>(2).fill(messages),
  foreignSignIns,
  ...Array<Kind>(2).fill(names),
  fees,
]
