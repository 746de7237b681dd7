import { expect, test, vi } from 'vitest'
import { ownVersion } from './version.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

test('returns the version in the manifest', () => {
  expect(ownVersion()).toBe('1.2.3')
})
