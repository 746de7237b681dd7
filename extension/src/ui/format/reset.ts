/** The texts about stored values that failed verification and were reset. */
import type { TextKey } from './text.ts'

const TEXTS: Readonly<Record<string, TextKey>> = {
  settings: 'reset_settings',
  activity: 'reset_activity',
  assets: 'reset_assets',
  interfaces: 'reset_interfaces',
  descriptors: 'reset_descriptors',
  contacts: 'reset_contacts',
  sessions: 'reset_sessions',
}

/** One text for each kind of value, by storage key. Caches share one text. */
export const resetTexts = (names: readonly string[]): readonly TextKey[] => [
  ...new Set(names.map(name => TEXTS[name] ?? 'reset_rest')),
]
