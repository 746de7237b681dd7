import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ValueError } from '../evm/value-error.ts'
import { formatPairingUri, parsePairingUri } from './pairing-uri.ts'

const MAX_PAIRING_URI_LENGTH = 4096

const hex = fc.stringMatching(/^[0-9a-f]{64}$/)
const named = ['symKey', 'relay-protocol', 'relay-data', 'methods', 'expiryTimestamp']
const word = fc.string({ unit: 'grapheme', minLength: 1 })

test('a URI round-trips, including extra parameters', () => {
  const pairing = fc.record(
    {
      topic: hex,
      symKey: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      relay: fc.record({ protocol: word, data: word }, { requiredKeys: ['protocol'] }),
      methods: fc.array(fc.stringMatching(/^\w{1,20}$/), { minLength: 1 }),
      expiryTimestamp: fc.nat(),
      extras: fc.dictionary(
        word.filter(name => !named.includes(name)),
        fc.string({ unit: 'grapheme' }),
      ),
    },
    { requiredKeys: ['topic', 'symKey', 'relay', 'extras'] },
  )
  fc.assert(
    fc.property(pairing, pairing => {
      const uri = formatPairingUri(pairing)
      fc.pre(uri.length <= MAX_PAIRING_URI_LENGTH)
      expect(parsePairingUri(uri)).toEqual({ ...pairing, extras: { ...pairing.extras } })
    }),
  )
})

test('throws nothing but ValueError, which does not quote the input', () => {
  const uri = `wc:${'ab'.repeat(32)}@2?relay-protocol=irn&symKey=${'SECRET'.repeat(9)}`
  const any = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.nat(uri.length).map(at => uri.slice(0, at)),
    fc.base64String(),
  )
  fc.assert(
    fc.property(any, text => {
      const failure = (() => {
        try {
          return parsePairingUri(text)
        } catch (thrown) {
          return thrown
        }
      })()
      expect(failure).toBeInstanceOf(ValueError)
      expect(String(failure)).not.toContain('SECRET')
    }),
  )
})

test('limits the length of a URI', () => {
  expect(() => parsePairingUri(`wc:${'a'.repeat(MAX_PAIRING_URI_LENGTH)}`)).toThrow('is longer than')
})
