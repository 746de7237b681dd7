import { expect, test } from 'vitest'
import { resetTexts } from './reset.ts'

test('each kind of value has its text, and caches share one', () => {
  expect(resetTexts(['settings', 'bundles', 'chains', 'contacts'])).toEqual([
    'reset_settings',
    'reset_rest',
    'reset_contacts',
  ])
})
