import { expect, test } from 'vitest'
import type { Finding } from '../../messages.ts'
import { once } from './findings.ts'

const found = (name: Finding['name'], ...values: string[]): Finding => ({ level: 'danger', name, values })

test('each finding is said once, in the order in which it was found', () => {
  expect(once([found('unlimitedAllowance', '0x1'), found('unknownCall'), found('unlimitedAllowance', '0x1')])).toEqual([
    found('unlimitedAllowance', '0x1'),
    found('unknownCall'),
  ])
})

test('where it is true of several things, none of them stands for the others', () => {
  const several = ['0x1', '0x2', '0x1'].map(token => found('unlimitedAllowance', token))
  expect(once(several)).toEqual([found('unlimitedAllowance')])
})

test('the highest level stays, in whatever order', () => {
  const levels = ['caution', 'danger', 'none'] as const
  for (const order of [levels, levels.toReversed()])
    expect(once(order.map(level => ({ level, name: 'unknownCall', values: [] })))).toEqual([
      { level: 'danger', name: 'unknownCall', values: [] },
    ])
})
