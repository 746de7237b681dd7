/** Compares signatures of typed data with anvil, which shares no code with this project. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { decodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { parseTypedData, signTypedData, type TypedData } from '@heliograph/shared/evm/typed-data'
import { referencesOf } from '@heliograph/shared/evm/typed-data-types'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { DOMAIN, typedDataRequest } from './typed-data-arbitrary.ts'

/** The first account of anvil's public test phrase. */
const key = decodeData('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const { valid }: { valid: { name: string; data: unknown }[] } = JSON.parse(
  readFileSync(new URL('typed-data.json', import.meta.url), 'utf8'),
)

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

const sign = async (data: unknown): Promise<unknown> => {
  const response = await fetch(anvil.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_signTypedData_v4',
      params: [addressOfPrivateKey(key), data],
    }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

test('eth_signTypedData_v4 of any typed data, as the site sends it and as it was parsed', async () => {
  await fc.assert(
    fc.asyncProperty(typedDataRequest, async request => {
      const data = parseTypedData(request)
      const ours = signTypedData(data, key)
      expect(await sign(request)).toBe(ours)
      expect(await sign(data)).toBe(ours)
    }),
    { numRuns: 100 },
  )
})

/**
 * True if the domain declares the standard's fields in the standard's order. anvil hashes every domain as if this were
 * true.
 */
const hasUsualDomain = ({ types }: TypedData): boolean => {
  const declared = types.EIP712Domain ?? []
  const usual = DOMAIN.filter(({ name }) => declared.some(field => field.name === name))
  return isDeepStrictEqual(declared, usual)
}

test('eth_signTypedData_v4 of the vectors, except recursive structs, which anvil refuses, and unusual domains', async () => {
  for (const { name, data } of valid) {
    const parsed = parseTypedData(data)
    if (!hasUsualDomain(parsed)) continue
    const recursive = referencesOf(parsed.primaryType, parsed.types).has(parsed.primaryType)
    const answer = await sign(data).catch((error: Error) => error.message)
    expect(answer, name).toBe(recursive ? `circular dependency: ${parsed.primaryType}` : signTypedData(parsed, key))
  }
})
