/**
 * Fuzzes the frame decoders against a reference: they never throw, and return ids exactly as written. The relay's
 * scanner must agree with the decoder on each frame that it recognizes.
 */

import { defaultsOf } from '@heliograph/shared/server/process/config'
import { type DecodedRpc, decodeJsonRpc } from '@heliograph/shared/wire/json-rpc'
import { parseParams } from '@heliograph/shared/wire/params'
import { relayPrefixes, relaySchemas } from '@heliograph/shared/wire/relay-methods'
import { expect, test } from 'vitest'
import { relayRows } from '../../relay-server/src/config.ts'
import { toPosting } from '../../relay-server/src/rpc/methods/publishing.ts'
import { type Scanned, scanAcknowledgement, scanPublish } from '../../relay-server/src/rpc/scan.ts'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { randomFrom } from '../support/random.ts'
import { runSeed } from '../support/seed.ts'
import { mutated } from './mutations.ts'
import { judge, type Verdict, type Verdicts } from './reference.ts'

const limits = defaultsOf(relayRows)

const CASES = fuzzCases('decodedFrames')
/** Minimum number of cases of each kind. A run with fewer cases would prove nothing. */
const RARE = CASES / 500

const verdictOf = (frame: Exclude<DecodedRpc, { kind: 'batch' }>): Verdict => ({ kind: frame.kind, id: frame.id })

const verdictsOf = (decoded: DecodedRpc): Verdicts =>
  decoded.kind === 'batch'
    ? { isBatch: true, frames: decoded.items.map(verdictOf) }
    : { isBatch: false, frames: [verdictOf(decoded)] }

const asText = ({ isBatch, frames }: Verdicts): string =>
  `${isBatch}${frames.map(({ kind, id }) => `\n${kind} ${id}`).join('')}`

/** Returns the publish as the decoder and the schemas read it, for a frame that the scanner recognized. */
const publishOf = (decoded: DecodedRpc): Scanned => {
  if (decoded.kind !== 'request' || decoded.id === undefined)
    throw new Error('the scanner recognized a frame that is not a request')
  const prefix = relayPrefixes.find(name => decoded.method === `${name}_publish`)
  if (!prefix) throw new Error('the scanner recognized a request that is not a publish')
  const publish = parseParams(decoded.params, relaySchemas(prefix).publish)
  return { id: decoded.id, ...toPosting(publish, 'params.message', limits) }
}

/**
 * Throws unless the scanner ignores the frame or agrees with the decoder. Returns the kind that the scanner recognized.
 */
const checkScan = (bytes: Buffer, decoded: DecodedRpc): string | undefined => {
  const pushId = scanAcknowledgement(bytes)
  if (pushId !== undefined) {
    expect(decoded).toMatchObject({ kind: 'response', result: true })
    expect('id' in decoded && Number(decoded.id)).toBe(pushId)
    return 'scanned answer'
  }
  const scanned = scanPublish(bytes, limits, '')
  if (!scanned) return undefined
  expect(scanned).toEqual(publishOf(decoded))
  return 'scanned publish'
}

/** Throws unless the decoder agrees with the reference. Compares texts, which is cheaper in a million comparisons. */
const check = (bytes: Buffer): string => {
  const expected = judge(bytes)
  const decoded = decodeJsonRpc(bytes)
  const found = verdictsOf(decoded)
  if (asText(found) !== asText(expected)) expect(found).toEqual(expected)
  return checkScan(bytes, decoded) ?? nameOf(expected)
}

const nameOf = ({ isBatch, frames: [first] }: Verdicts): string => {
  if (isBatch) return 'batch'
  return first?.id === undefined || first.id === 'null' ? `${first?.kind} without an id` : `${first.kind} with an id`
}

test(`${CASES} mutated frames are decoded as by the reference`, { timeout: 300_000 }, () => {
  const met = new Map<string, number>()
  for (let index = 0; index < CASES; index++) {
    const bytes = mutated(randomFrom(runSeed + index))
    try {
      const name = check(bytes)
      met.set(name, (met.get(name) ?? 0) + 1)
    } catch (thrown) {
      throw new Error(`FUZZ_SEED=${runSeed}, case ${index}: ${JSON.stringify(bytes.toString('latin1'))}`, {
        cause: thrown,
      })
    }
  }
  const often = [...met].filter(([, count]) => count > RARE).map(([name]) => name)
  expect(often.toSorted()).toEqual([
    'batch',
    'invalid with an id',
    'invalid without an id',
    'request with an id',
    'request without an id',
    'response with an id',
    'response without an id',
    'scanned answer',
    'scanned publish',
  ])
})
