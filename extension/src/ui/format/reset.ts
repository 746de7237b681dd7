/** The texts about stored values that were refused and reset, and about ones that cannot be read. */
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

/** The name of a value with a text of its own. Caches share one. */
const kindOf = <Kind extends string>(kinds: readonly Kind[], name: string): Kind | 'rest' =>
  kinds.find(kind => kind === name) ?? 'rest'

/** One text for each kind of value that was reset, by storage key. */
export const resetTexts = (names: readonly string[]): readonly TextKey[] => [
  ...new Set(names.map(name => `reset_${kindOf(RESET, name)}` as const)),
]

/** One text for each kind of value that cannot be read, by storage key. */
export const unreadableTexts = (names: readonly string[]): readonly TextKey[] => [
  ...new Set(names.map(name => `unreadable_${kindOf(UNREADABLE, name)}` as const)),
]
