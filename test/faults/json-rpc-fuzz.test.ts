/** What reads frames, against a second reader: no bytes make it throw, and no id comes back as anything but what was written. */
import { type Decoded, decode } from '@heliograph/shared/wire/json-rpc'
import { expect, test } from 'vitest'
import { mutated, randomFrom, runSeed } from './mutations.ts'
import { judge, type Verdict, type Verdicts } from './reference.ts'

const CASES = 1_000_000

const verdictOf = (frame: Exclude<Decoded, { kind: 'batch' }>): Verdict => ({ kind: frame.kind, id: frame.id })

const verdictsOf = (decoded: Decoded): Verdicts =>
  decoded.kind === 'batch'
    ? { isBatch: true, frames: decoded.items.map(verdictOf) }
    : { isBatch: false, frames: [verdictOf(decoded)] }

const asText = ({ isBatch, frames }: Verdicts): string =>
  `${isBatch}${frames.map(({ kind, id }) => `\n${kind} ${id}`).join('')}`

/** Throws unless the bytes are read as the reference reads them. Texts are compared: a million times, that is cheaper. */
const check = (bytes: Uint8Array): Verdicts => {
  const expected = judge(bytes)
  const found = verdictsOf(decode(bytes))
  if (asText(found) !== asText(expected)) expect(found).toEqual(expected)
  return expected
}

const nameOf = ({ isBatch, frames: [first] }: Verdicts): string => {
  if (isBatch) return 'batch'
  return first?.id === undefined || first.id === 'null' ? `${first?.kind} without an id` : `${first.kind} with an id`
}

test(`${CASES} mutated frames are read as the reference reads them`, { timeout: 300_000 }, () => {
  const met = new Map<string, number>()
  for (let index = 0; index < CASES; index++) {
    const bytes = mutated(randomFrom(runSeed + index))
    try {
      const name = nameOf(check(bytes))
      met.set(name, (met.get(name) ?? 0) + 1)
    } catch (thrown) {
      throw new Error(`FUZZ_SEED=${runSeed}, case ${index}: ${JSON.stringify(bytes.toString('latin1'))}`, {
        cause: thrown,
      })
    }
  }
  const often = [...met].filter(([, count]) => count > CASES / 200).map(([name]) => name)
  expect(often.toSorted()).toEqual([
    'batch',
    'invalid with an id',
    'invalid without an id',
    'request with an id',
    'request without an id',
    'response with an id',
    'response without an id',
  ])
})
