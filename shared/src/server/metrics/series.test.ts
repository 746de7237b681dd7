import { expect, test } from 'vitest'
import { createSeries } from './series.ts'

const create = () => createSeries(['a', 'b'], { step: 10, size: 4, startedAt: 1000 })

test('values are due once per step, and only the latest are kept', () => {
  const series = create()
  expect([series.isDue(1009), series.isDue(1010)]).toEqual([false, true])
  for (const [index, value] of [1, 2, 3, 4, 5].entries()) series.add(1010 + index * 10, { a: value, b: undefined })
  const { until, step, values } = series.report()
  expect([until, step]).toEqual([1050, 10])
  expect(values).toEqual({ a: [2, 3, 4, 5], b: [null, null, null, null] })
})

test('values are rounded to tenths', () => {
  const series = create()
  series.add(1010, { a: 0.05, b: 12.3456 })
  expect(series.report().values).toEqual({ a: [0.1], b: [12.3] })
})

test('missed steps have no values', () => {
  const series = create()
  series.add(1010, { a: 1, b: 1 })
  series.add(1035, { a: 2, b: 2 })
  expect(series.report().values.a).toEqual([1, null, 2])
  series.add(9_000_000, { a: 3, b: 3 })
  expect(series.report().values.a).toEqual([null, null, null, 3])
})
