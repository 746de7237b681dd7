import { expect, test } from 'vitest'
import type { RiskLevel } from '../../messages.ts'
import { bySeverity, levelOf, midSentence, worstOf } from './risk.ts'

const finding = (level: RiskLevel, title: string) => ({ level, title })

test('the first finding of the highest level is shown in the band', () => {
  const findings = [finding('caution', 'a'), finding('danger', 'b'), finding('danger', 'c')]
  expect(worstOf(findings)?.title).toBe('b')
  expect(levelOf(findings)).toBe('danger')
  expect(levelOf([...findings, finding('blocked', 'd')])).toBe('blocked')
  expect(bySeverity(findings).map(({ title }) => title)).toEqual(['b', 'c', 'a'])
})

test('without findings there is no warning', () => {
  expect(worstOf([])).toBeUndefined()
  expect(levelOf([])).toBe('none')
})

test('a title after its level is uncapitalised', () => {
  expect(midSentence('Unlimited spending', 'en')).toBe('unlimited spending')
  expect(midSentence('ETH runs out', 'en')).toBe('ETH runs out')
  expect(midSentence('Verträge sind teuer', 'de')).toBe('Verträge sind teuer')
  expect(midSentence('', 'en')).toBe('')
})
