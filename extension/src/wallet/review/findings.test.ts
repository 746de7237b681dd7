import { expect, test } from 'vitest'
import type { Finding } from '../../messages.ts'
import { once } from './findings.ts'

const found = (name: Finding['name'], ...values: string[]): Finding => ({ level: 'danger', name, values })

test('each finding appears once, in the order of first occurrence', () => {
  expect(once([found('unlimitedAllowance', '0x1'), found('unknownCall'), found('unlimitedAllowance', '0x1')])).toEqual([
    found('unlimitedAllowance', '0x1'),
    found('unknownCall'),
  ])
})

test('a merged finding has no values if they differ', () => {
  const several = ['0x1', '0x2', '0x1'].map(token => found('unlimitedAllowance', token))
  expect(once(several)).toEqual([found('unlimitedAllowance')])
})

test('a merged finding has the highest level, in any order', () => {
  const levels = ['caution', 'danger', 'none'] as const
  for (const order of [levels, levels.toReversed()])
    expect(once(order.map(level => ({ level, name: 'unknownCall', values: [] })))).toEqual([
      { level: 'danger', name: 'unknownCall', values: [] },
    ])
})
