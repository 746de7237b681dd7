/** The texts about stored values that were refused and reset, and about ones that cannot be read. */
import type { TextKey } from './text.ts'

type Texts = Readonly<Record<string, TextKey>>

const RESET: Texts = {
  settings: 'reset_settings',
  activity: 'reset_activity',
  assets: 'reset_assets',
  interfaces: 'reset_interfaces',
  descriptors: 'reset_descriptors',
  contacts: 'reset_contacts',
  sessions: 'reset_sessions',
  revisions: 'reset_revisions',
}

const UNREADABLE: Texts = {
  activity: 'unreadable_activity',
  assets: 'unreadable_assets',
  contacts: 'unreadable_contacts',
  sessions: 'unreadable_sessions',
}

const textsOf = (texts: Texts, rest: TextKey, names: readonly string[]): readonly TextKey[] => [
  ...new Set(names.map(name => texts[name] ?? rest)),
]

/** One text for each kind of value that was reset, by storage key. Caches share one text. */
export const resetTexts = (names: readonly string[]): readonly TextKey[] => textsOf(RESET, 'reset_rest', names)

/** One text for each kind of value that cannot be read, by storage key. */
export const unreadableTexts = (names: readonly string[]): readonly TextKey[] =>
  textsOf(UNREADABLE, 'unreadable_rest', names)
