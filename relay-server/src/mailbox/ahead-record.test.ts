import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AheadRecord, measureAhead, readAhead, writeAhead } from './ahead-record.ts'
import type { Change } from './message-tables.ts'

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const at = fc.nat(2 ** 32 - 1)
const client = fc.string({ unit: 'grapheme' }).map(name => `did:key:z${name}` as const)
const change = fc.oneof(
  fc.tuple(fc.constant('acknowledged' as const), client),
  fc.tuple(fc.constant('waits' as const), fc.boolean(), fc.array(client)),
) satisfies fc.Arbitrary<Change>
const record: fc.Arbitrary<AheadRecord> = fc.record({
  chunks: fc.array(fc.tuple(id, at, at)),
  gone: fc.array(fc.tuple(id, at)).map(places => places.flat()),
  changes: fc.array(fc.tuple(id, at, change)),
  rows: fc.array(fc.record({ table: fc.string(), key: fc.array(fc.string()), value: fc.integer() })),
})

test('a record is read back as it was, from as many bytes as were measured', () => {
  fc.assert(
    fc.property(record, fc.nat(20), (written, before) => {
      const { rest, length } = measureAhead(written)
      const bytes = Buffer.alloc(before + length + 3, 255)
      writeAhead(bytes, before, written, rest)
      expect(readAhead(bytes.subarray(before, before + length))).toEqual(written)
      expect([...bytes.subarray(0, before), ...bytes.subarray(before + length)]).toEqual(Array(before + 3).fill(255))
    }),
  )
})
