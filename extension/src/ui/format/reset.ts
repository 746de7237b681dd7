/** The texts about stored values that were reset, and about values that cannot be read. */
import type { TextKey } from './text.ts'

const RESET = [
  'settings',
  'activity',
  'assets',
  'interfaces',
  'descriptors',
  'contacts',
  'sessions',
  'revisions',
] as const
const UNREADABLE = ['activity', 'assets', 'contacts', 'sessions'] as const

/** Returns the kind of a value. Values without a separate text, such as caches, are `rest`. */
const kindOf = <Kind extends string>(kinds: readonly Kind[], name: string): Kind | 'rest' =>
  kinds.find(kind => kind === name) ?? 'rest'

/** Returns one text for each kind of value that was reset, by storage key. */
export const resetTexts = (names: readonly string[]): readonly TextKey[] => [
  ...new Set(names.map(name => `reset_${kindOf(RESET, name)}` as const)),
]

/** Returns one text for each kind of value that cannot be read, by storage key. */
export const unreadableTexts = (names: readonly string[]): readonly TextKey[] => [
  ...new Set(names.map(name => `unreadable_${kindOf(UNREADABLE, name)}` as const)),
]
