/** The kinds of requests that are fuzzed. Transactions can be mutated in most ways, and come twice as often. */
import type { Kind } from './case.ts'
import { messages } from './messages.ts'
import { transactions } from './transactions.ts'
import { typedData } from './typed-data.ts'

export const KINDS: readonly Kind[] = [transactions, transactions, typedData, messages]
