import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HEAD_BYTES, NOTE, recordsIn, validLength, writeHead } from './record.ts'

const FILE = 7
const START = 24

/** A file with records of these payloads. */
const fileOf = (payloads: readonly Uint8Array[]): { bytes: Buffer; offsets: number[] } => {
  const bytes = Buffer.alloc(
    payloads.reduce((sum, { length }) => sum + HEAD_BYTES + length, START),
    0xee,
  )
  const offsets: number[] = []
  let at = START
  for (const [index, payload] of payloads.entries()) {
    bytes.set(payload, at + HEAD_BYTES)
    writeHead(bytes, at, { kind: index % 2 === 0 ? 1 : NOTE | 1, length: payload.length, file: FILE, offset: at })
    offsets.push(at)
    at += HEAD_BYTES + payload.length
  }
  return { bytes, offsets }
}

const payloads = fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 1, maxLength: 20 })

test('finds all written records in order', () => {
  fc.assert(
    fc.property(payloads, all => {
      const { bytes, offsets } = fileOf(all)
      const found = [...recordsIn(bytes, FILE, START)]
      expect(found.map(({ at }) => at)).toEqual(offsets)
      expect(found.map(({ kind }) => kind)).toEqual(all.map((_, index) => (index % 2 === 0 ? 1 : 0x81)))
      for (const [index, { at, end }] of found.entries())
        expect(bytes.subarray(at + HEAD_BYTES, end)).toEqual(Buffer.from(all[index] ?? []))
    }),
  )
})

test('one flipped bit damages only its record', () => {
  const { bytes, offsets } = fileOf(['first', 'second', 'third'].map(text => Buffer.from(text)))
  const [, from = 0, to = 0] = offsets
  for (let bit = from * 8; bit < to * 8; bit++) {
    const harmed = Buffer.from(bytes)
    harmed[bit >> 3] = (harmed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect([...recordsIn(harmed, FILE, START)]).toEqual([
      { kind: 1, at: START, end: from },
      { kind: undefined, at: from, end: to },
      { kind: 1, at: to, end: bytes.length },
    ])
  }
})

test('a record is invalid at another offset, in another file, or inside a payload', () => {
  const { bytes, offsets } = fileOf([Buffer.from('a record'), Buffer.from('another')])
  const record = bytes.subarray(offsets[0], offsets[1])
  expect(validLength(bytes, START, FILE, START)).toBe(record.length)
  expect(validLength(bytes, START, FILE + 1, START)).toBe(0)
  expect(validLength(record, 0, FILE, START + 1)).toBe(0)
  const { bytes: carrier } = fileOf([record])
  carrier[START] = 0
  expect([...recordsIn(carrier, FILE, START)]).toEqual([{ kind: undefined, at: START, end: carrier.length }])
})

test('zeros, garbage and a truncated end are damaged bytes up to the next record', () => {
  fc.assert(
    fc.property(payloads, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 300 }), (all, place, garbage) => {
      const { bytes, offsets } = fileOf(all)
      const at = START + (place % (bytes.length - START))
      const harmed = Buffer.from(bytes)
      harmed.set(garbage.subarray(0, harmed.length - at), at)
      const ends = [...offsets.slice(1), bytes.length]
      const intact = offsets.filter((offset, index) =>
        bytes.subarray(offset, ends[index]).equals(harmed.subarray(offset, ends[index])),
      )
      const found = [...recordsIn(harmed, FILE, START)]
      expect(found.filter(({ kind }) => kind !== undefined).map(({ at: offset }) => offset)).toEqual(intact)
      expect(found.reduce((end, one) => (one.at === end ? one.end : Number.NaN), START)).toBe(bytes.length)
      const cut = [...recordsIn(bytes.subarray(0, at), FILE, START)]
      expect(cut.filter(({ kind }) => kind !== undefined).map(({ end }) => end)).toEqual(ends.filter(end => end <= at))
    }),
  )
})
