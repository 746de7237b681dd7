import { expect, test } from 'vitest'
import { formatAgo, formatDay, formatSince, formatTime } from './times.ts'

const now = new Date(2025, 10, 21, 14, 32).getTime()

test('times are relative under an hour, then a day and a time', () => {
  expect(formatAgo(now - 3_000, now)).toBe('just now')
  expect(formatAgo(now - 12_000, now)).toMatch(/12/)
  expect(formatAgo(now - 180_000, now)).toMatch(/3/)
  expect(formatAgo(now - 7_200_000, now)).toBe(`${formatDay(now)}, ${formatTime(now - 7_200_000)}`)
})

test('times use the 24-hour clock', () => {
  expect(formatTime(now)).toMatch(/^14.32$/)
})

test('a site was connected today or on a day', () => {
  expect(formatSince(now - 3_600_000, now)).toBe('Connected today')
  expect(formatSince(new Date(2025, 2, 12).getTime(), now)).toMatch(/^Connected .*2025/)
})
