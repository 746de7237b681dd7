import { expect, test } from 'vitest'
import { resetTexts, unreadableTexts } from './reset.ts'

test('each kind of value has its text, and caches share one', () => {
  expect(resetTexts(['settings', 'bundles', 'chains', 'contacts', 'revisions'])).toEqual([
    'reset_settings',
    'reset_rest',
    'reset_contacts',
    'reset_revisions',
  ])
  expect(unreadableTexts(['found-tokens', 'contacts', 'sessions', 'last-asked'])).toEqual([
    'unreadable_rest',
    'unreadable_contacts',
    'unreadable_sessions',
  ])
})
