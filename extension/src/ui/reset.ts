/** What the person is told of stored values that could not be verified. */
import type { TextKey } from './text.ts'

const TEXTS: Readonly<Record<string, TextKey>> = {
  settings: 'reset_settings',
  activity: 'reset_activity',
  assets: 'reset_assets',
  interfaces: 'reset_interfaces',
  contacts: 'reset_contacts',
  sessions: 'reset_sessions',
}

/** A sentence for each kind of value, from the names under which they are stored. What is fetched again goes together. */
export const resetTexts = (names: readonly string[]): readonly TextKey[] => [
  ...new Set(names.map(name => TEXTS[name] ?? 'reset_rest')),
]
