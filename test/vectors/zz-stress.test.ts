import fc from 'fast-check'
import { test, expect } from 'vitest'
import { TypedDataEncoder } from 'ethers'
import { fromBytes } from '@heliograph/shared/evm/hex'
import { parseTypedData, hashTypedData } from '@heliograph/shared/evm/typed-data'
import { typedDataRequest } from './typed-data-arbitrary.ts'
test('stress', () => {
  fc.assert(fc.property(typedDataRequest, r => {
    const { EIP712Domain: _, ...types } = r.types
    expect(fromBytes(hashTypedData(parseTypedData(r)))).toBe(TypedDataEncoder.hash(r.domain, types as any, r.message))
  }), { numRuns: 8000, endOnFailure: true })
})
