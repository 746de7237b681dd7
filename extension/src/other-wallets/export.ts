/** Unchecked entries read from a file or a list of another wallet. */
import type { ImportEntry } from '../messages.ts'

/** Result of reading. `unreadable` is the number of lines or objects that could not be read as an entry. */
export type Export = { entries: readonly ImportEntry[]; unreadable: number }

/** Why nothing was read. For a keystore and a phrase, the wallet has separate forms. */
export type ExportProblem = 'tooLarge' | 'tooMany' | 'keystore' | 'phrase' | 'unknownForm'

/** Maximum length of a file, in characters. State logs of MetaMask have several million. */
export const MAX_FILE = 16 << 20
/** Maximum size of a file in bytes. A character takes up to three, and a backup has more characters than other files. */
export const LARGEST_FILE = 48 << 20
/** Maximum number of entries, and of unreadable lines: the background's limit. */
export const MAX_ENTRIES = 2_000
/** Maximum number of nodes per network, which is also the background's limit. */
export const MAX_LISTED_NODES = 20
/** Maximum length of a line in a list, in characters. */
export const MAX_LINE = 4_000
/**
 * Maximum length of a text in an entry, in characters. The background refuses all longer names, so they need not be
 * sent.
 */
export const MAX_TEXT = 2_100
