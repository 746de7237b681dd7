import { expect, test } from 'vitest'
import type { Finding, RiskLevel } from '../messages.ts'
import { bySeverity, levelOf, midSentence, worstOf } from './risk.ts'

const finding = (level: RiskLevel, title: string): Finding => ({ level, title, text: '' })

test('the first finding of the highest level owns the band', () => {
  const findings = [finding('none', 'a'), finding('caution', 'b'), finding('danger', 'c'), finding('danger', 'd')]
  expect(worstOf(findings)?.title).toBe('c')
  expect(levelOf(findings)).toBe('danger')
  expect(levelOf([...findings, finding('blocked', 'e')])).toBe('blocked')
  expect(bySeverity(findings).map(({ title }) => title)).toEqual(['c', 'd', 'b', 'a'])
})

test('checks that found nothing are no warning', () => {
  expect(worstOf([finding('none', 'a')])).toBeUndefined()
  expect(levelOf([])).toBe('none')
})

test('a title goes on in lower case after its level', () => {
  expect(midSentence('Unlimited spending')).toBe('unlimited spending')
  expect(midSentence('ETH runs out')).toBe('ETH runs out')
  expect(midSentence('')).toBe('')
})
