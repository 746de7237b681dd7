import { expect, test } from 'vitest'
import { BROWSER_VALUES, REGISTRY, SETTINGS } from '../storage/registry.ts'
import { SECTION_NAMES } from './sections.ts'
import { STORED } from './stored-names.fixture.ts'

test('every stored name is in a section of backups, or left out with a reason', () => {
  const stored = [...SETTINGS, ...REGISTRY.local, ...REGISTRY.session, ...BROWSER_VALUES]
  expect(Object.keys(STORED).toSorted()).toEqual([...new Set<string>(stored)].toSorted())
  for (const where of Object.values(STORED)) expect(where.length).toBeGreaterThan(0)
})

test('every section holds a stored name', () => {
  const held = Object.values(STORED).flatMap(where => (typeof where === 'string' ? [] : where))
  expect([...new Set(held)].toSorted()).toEqual([...SECTION_NAMES].toSorted())
})
