import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBridgeFrame, encodeBridgeFrame } from './bridge-frames.ts'

const topic = 'cb0f5d62-04b5-4e80-b1cf-5a9a33a9a9a9'

test('decodes the frames of published clients', () => {
  const pub = `{"topic":"${topic}","type":"pub","payload":"{\\"data\\":\\"4f36\\"}","silent":true}`
  expect(decodeBridgeFrame(pub)).toEqual({ topic, type: 'pub', payload: '{"data":"4f36"}', silent: true })
  expect(decodeBridgeFrame(new TextEncoder().encode(pub))).toEqual(decodeBridgeFrame(pub))
  for (const type of ['sub', 'ack'])
    expect(decodeBridgeFrame(`{"topic":"${topic}","type":"${type}","payload":"","silent":true}`)).toMatchObject({
      type,
    })
})

test('payload and silent are optional, as old clients omit them', () => {
  expect(decodeBridgeFrame(`{"topic":"${topic}","type":"sub"}`)).toEqual({
    topic,
    type: 'sub',
    payload: '',
    silent: false,
  })
})

test.each([
  'Socket message is invalid',
  '',
  '{}',
  'null',
  '[]',
  '{"type":"ping"}',
  `{"topic":"${topic}","type":"ping","payload":"","silent":true}`,
  `{"topic":"","type":"sub","payload":""}`,
  `{"topic":7,"type":"sub","payload":""}`,
  `{"topic":"${topic}","type":"pub","payload":{"data":"4f36"}}`,
  `{"topic":"${topic}","type":"pub","payload":"","silent":"no"}`,
  `{"topic":"${topic}","type":"pub","payload":"\\ud800"}`,
  '['.repeat(1_000_000),
])('ignores input that is not a frame: case %#', text => {
  expect(decodeBridgeFrame(text)).toBeUndefined()
})

test('never throws', () => {
  fc.assert(fc.property(fc.oneof(fc.uint8Array(), fc.string(), fc.json()), input => void decodeBridgeFrame(input)))
})

test('frames round-trip', () => {
  const frame = fc.record({
    topic: fc.uuid(),
    type: fc.constantFrom('pub' as const, 'sub' as const, 'ack' as const),
    payload: fc.string({ unit: 'binary' }),
    silent: fc.boolean(),
  })
  fc.assert(
    fc.property(frame, frame => {
      expect(decodeBridgeFrame(encodeBridgeFrame(frame))).toEqual(frame)
    }),
  )
})
