/** Entries that were read from a file or a list of another wallet. Nothing of them has been checked. */
import type { ImportEntry } from '../messages.ts'

/** `unreadable` is the number of lines or objects that are no entry. */
export type Export = { entries: readonly ImportEntry[]; unreadable: number }

/** Why nothing was read: a keystore and a phrase have forms of their own in the wallet. */
export type ExportProblem = 'tooLarge' | 'tooMany' | 'keystore' | 'phrase' | 'unknownForm'

/** Largest file, in characters. State logs of MetaMask have some millions. */
export const MAX_FILE = 16 << 20
/** Maximum number of entries and of unreadable lines: the background's limit. */
export const MAX_ENTRIES = 2_000
/** Maximum nodes of a network: the background reads no more. */
export const MAX_LISTED_NODES = 20
/** Longest line of a list, in characters. */
export const MAX_LINE = 4_000
/** Longest text of an entry, in characters. All longer names are refused, and need not be sent. */
export const MAX_TEXT = 2_100
