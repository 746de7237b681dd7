import { defaultsOf } from '@heliograph/shared/server/process/config'
import { decodeJsonRpc } from '@heliograph/shared/wire/json-rpc'
import { parseParams } from '@heliograph/shared/wire/params'
import { relayPrefixes, relaySchemas } from '@heliograph/shared/wire/relay-methods'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relayRows } from '../config.ts'
import { toPosting } from './methods/publishing.ts'
import { scanAcknowledgement, scanPublish } from './scan.ts'

const limits = { ...defaultsOf(relayRows), maxTtl: 2_592_000, messageBytes: 40 }
const TOPIC = 'ab'.repeat(32)

/** Returns the publish in a frame according to the full decoder, or undefined. */
const decoded = (frame: string) => {
  const request = decodeJsonRpc(frame)
  if (request.kind !== 'request' || request.id === undefined) return undefined
  const prefix = relayPrefixes.find(name => request.method === `${name}_publish`)
  if (!prefix) return undefined
  try {
    const publish = parseParams(request.params, relaySchemas(prefix).publish)
    return { id: request.id, ...toPosting(publish, 'params.message', limits) }
  } catch {
    return undefined
  }
}

test.each([
  [`{"id":1,"jsonrpc":"2.0","method":"relay_publish","params":{"topic":"${TOPIC}","message":"hello","ttl":300}}`],
  [
    `{"id":"1795224905434131968","jsonrpc":"2.0","method":"irn_publish","params":{"topic":"${TOPIC}","message":"AI4iDUVL+/==","ttl":300,"prompt":false,"tag":1103,"correlationId":1795224905785126}}`,
  ],
  [
    `{"id":1778341964282845123,"jsonrpc":"2.0","method":"waku_publish","params":{"topic":"${TOPIC}","message":"","ttl":86400,"prompt":true,"tag":0}}`,
  ],
])('recognizes a publish as clients write it: %s', frame => {
  expect(scanPublish(Buffer.from(frame), limits, '')).toEqual(decoded(frame))
  expect(scanPublish(Buffer.from(frame), limits, '')).toBeDefined()
})

/** Text that could confuse the scanner. */
const nasty = fc.constantFrom(
  'é',
  '☀',
  '\\u0041',
  '\\"',
  '\\\\',
  '"',
  '","ttl":9,"x":"',
  '\u0000',
  '\u007f',
  ' ',
  '}',
  '{',
  '😀',
)
/** Generates mostly the first text, so that many frames are valid. */
const part = (sound: string, ...odd: string[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
const id = part('1', '0', '01', '-1', '1.5', '1e3', '"a"', '"a b"', '"\\u0061"', 'null', '9'.repeat(20), '[]')
const message = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.string() }, nasty), { maxLength: 4 })
  .map(all => all.join(''))

test('agrees with the full decoder on all frames that it recognizes', () => {
  let recognized = 0
  fc.assert(
    fc.property(
      id,
      fc.constantFrom(...relayPrefixes, 'eth', 'RELAY'),
      part(TOPIC, TOPIC.toUpperCase(), `${TOPIC}0`, 'a topic', ''),
      message,
      part('300', '1', '0', '01', '2592000', '2592001', '9999999', '1.5', '-1', '"1"', 'null'),
      part('', ',"prompt":true,"tag":1108', ',"tag":1108,"prompt":true', ',"prompt":true', ',"prompt":null,"tag":1'),
      part(
        '',
        ',"correlationId":1795224905785126',
        ',"correlationId":05',
        ',"attestation":"x"',
        ',"ttl":5',
        ' ',
        ',"topic":"x"',
      ),
      part('', ' ', '\n', '}', ',"id":2', ',"params":{}'),
      (id, prefix, topic, text, ttl, extra, more, end) => {
        const frame = `{"id":${id},"jsonrpc":"2.0","method":"${prefix}_publish","params":{"topic":"${topic}","message":"${text}","ttl":${ttl}${extra}${more}}${end}}`
        const scanned = scanPublish(Buffer.from(frame), limits, '')
        if (scanned) {
          recognized += 1
          expect(scanned).toEqual(decoded(frame))
        }
      },
    ),
    { numRuns: 20_000 },
  )
  expect(recognized).toBeGreaterThan(1000)
})

test('recognizes acknowledgements and no other frames', () => {
  const scan = (frame: string) => scanAcknowledgement(Buffer.from(frame))
  for (const id of [1, 10, 9_007_199, 179_522_490_543_413])
    expect(scan(`{"id":${id},"jsonrpc":"2.0","result":true}`)).toBe(id)
  for (const frame of [
    '{"id":"1","jsonrpc":"2.0","result":true}',
    '{"id":1,"jsonrpc":"2.0","result":false}',
    '{"id":1,"jsonrpc":"2.0","result":true,"error":{}}',
    '{"id":01,"jsonrpc":"2.0","result":true}',
    '{"id":0,"jsonrpc":"2.0","result":true}',
    '{"id":,"jsonrpc":"2.0","result":true}',
    '{"id":1.5,"jsonrpc":"2.0","result":true}',
    '{"id":1,"jsonrpc":"2.0","result":tru',
    '',
    '{"id":1795224905434131,"jsonrpc":"2.0","result":true}',
    ' {"id":1,"jsonrpc":"2.0","result":true}',
    '[{"id":1,"jsonrpc":"2.0","result":true}]',
  ])
    expect(scan(frame)).toBeUndefined()
})
