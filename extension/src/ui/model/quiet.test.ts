import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createQuiet } from './quiet.ts'

const LENGTH = 1_000
const approve = {}
const other = {}

/** Returns a quiet time that starts at 0, and a press of Approve that starts at `at` and lasts 80 ms. */
const start = () => {
  const quiet = createQuiet(LENGTH, 0)
  const press = (at: number, control: object = approve) => {
    quiet.down(at, control)
    quiet.up(at + 80)
    return quiet.click(at + 80, control)
  }
  return { quiet, press }
}

test('a press counts after the whole quiet time, and not a millisecond earlier', () => {
  expect(start().press(LENGTH - 1)).toBe(false)
  expect(start().press(LENGTH)).toBe(true)
})

test('an ignored press restarts the wait at its release', () => {
  const { press } = start()
  expect(press(500)).toBe(false)
  expect(press(1_500)).toBe(false)
  expect(press(1_580 + LENGTH - 1)).toBe(false)
  expect(press(4_000)).toBe(true)
})

test('a press that counted restarts the wait, so a double click decides once', () => {
  const { press } = start()
  expect(press(2_000)).toBe(true)
  expect(press(2_150)).toBe(false)
})

test('a press elsewhere or a key restarts the wait', () => {
  const { quiet, press } = start()
  quiet.down(900, null)
  quiet.up(950)
  expect(press(1_800)).toBe(false)
})

test('a press that began before the wait was over does not count, however long it is held', () => {
  const { quiet } = start()
  quiet.down(999, approve)
  quiet.up(9_000)
  expect(quiet.click(9_000, approve)).toBe(false)
})

test('a press must begin and end on the same control', () => {
  const { quiet } = start()
  quiet.down(2_000, other)
  quiet.up(2_080)
  expect(quiet.click(2_080, approve)).toBe(false)
})

test('a change during a press cancels the press', () => {
  const { quiet } = start()
  quiet.down(2_000, approve)
  quiet.renew(2_050)
  quiet.up(2_080)
  expect(quiet.click(2_080, approve)).toBe(false)
})

test('a second key or button during a press cancels the press', () => {
  const { quiet } = start()
  quiet.down(2_000, approve)
  quiet.down(2_020, null)
  quiet.up(2_080)
  expect(quiet.click(2_080, approve)).toBe(false)
})

test('an auto-repeated key never counts', () => {
  const { quiet } = start()
  quiet.down(5_000, approve, true)
  expect(quiet.click(5_000, approve)).toBe(false)
})

test('an event older than the last change does not count, however late it is delivered', () => {
  const { quiet } = start()
  quiet.renew(10_000)
  quiet.down(8_000, approve)
  expect(quiet.click(8_080, approve)).toBe(false)
})

test('a click without a press, as assistive technology sends, needs the same quiet time', () => {
  expect(start().quiet.click(LENGTH - 1, approve)).toBe(false)
  expect(start().quiet.click(LENGTH, approve)).toBe(true)
})

test('property: presses less than the quiet time apart never count, in any order and on any control', () => {
  const event = fc.record({
    gap: fc.integer({ min: 0, max: LENGTH - 1 }),
    kind: fc.constantFrom('down', 'up', 'click', 'renew', 'repeat'),
    control: fc.constantFrom(approve, other, null),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), events => {
      const quiet = createQuiet(LENGTH, 0)
      let at = 0
      for (const { gap, kind, control } of events) {
        at += gap
        if (kind === 'down' || kind === 'repeat') quiet.down(at, control, kind === 'repeat')
        else if (kind === 'up') quiet.up(at)
        else if (kind === 'renew') quiet.renew(at)
        else expect(quiet.click(at, control ?? approve)).toBe(false)
      }
    }),
  )
})
