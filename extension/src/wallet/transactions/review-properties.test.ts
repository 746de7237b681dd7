/** A property of all functions that the wallet decodes: whatever their arguments are, the call is reviewed. */
import { toAddress } from '@heliograph/shared/evm/address'
import { functions } from '@heliograph/shared/evm/functions'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { Interface, type ParamType } from 'ethers'
import fc from 'fast-check'
import { test } from 'vitest'
import { readTransaction, reviewUnreached } from '../review/transaction.ts'
import { memoryStore } from '../storage/store.ts'
import { createAssets } from '../tokens/assets.ts'
import { readTokens } from '../tokens/tokens.ts'
import { ADDRESS, chainOf, PUBLIC_NETWORKS, SECOND } from '../wallet.fixture.ts'
import { addressesOf } from './address-checks.ts'
import { compareFor } from './checked-facts.ts'

const MOST_ELEMENTS = 3
const ADDRESSES = [ADDRESS, SECOND, `0x${'0'.repeat(40)}`, `0x${'ee'.repeat(20)}`]

const hex = (constraints: { minLength: number; maxLength: number }) =>
  fc.uint8Array(constraints).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`)

/** Generates values of a type. Lists of one call have independent lengths. */
const anyOf = ({ baseType, type, arrayChildren, arrayLength, components }: ParamType): fc.Arbitrary<unknown> => {
  if (arrayChildren) {
    const length = arrayLength ?? -1
    return fc.array(
      anyOf(arrayChildren),
      length < 0 ? { maxLength: MOST_ELEMENTS } : { minLength: length, maxLength: length },
    )
  }
  if (baseType === 'tuple') return fc.tuple(...(components ?? []).map(anyOf))
  if (type === 'address') return fc.constantFrom(...ADDRESSES)
  if (type === 'bool') return fc.boolean()
  if (type === 'string') return fc.string({ maxLength: 8 })
  if (type === 'bytes') return hex({ minLength: 0, maxLength: 68 })
  const [, name, size = ''] = /^(bytes|u?int)(\d+)$/.exec(type) ?? []
  const bits = Number(size)
  if (name === 'bytes') return hex({ minLength: bits, maxLength: bits })
  const highest = 2n ** BigInt(name === 'int' ? bits - 1 : bits) - 1n
  return fc.oneof(fc.constantFrom(0n, 1n, highest), fc.bigInt({ min: 0n, max: highest }))
}

const [network] = PUBLIC_NETWORKS as [Network]
const node = { chain: chainOf({}), network, assets: createAssets(memoryStore()) }

test('no arguments of a decoded function stop the review of its call', async () => {
  for (const text of functions) {
    const abi = new Interface([`function ${text}`])
    const [fragment] = abi.fragments
    const call = fragment?.format() ?? ''
    await fc.assert(
      fc.asyncProperty(fc.tuple(...(fragment?.inputs ?? []).map(anyOf)), async values => {
        const request = {
          from: toAddress(ADDRESS),
          to: toAddress(SECOND),
          data: abi.encodeFunctionData(call, values) as Hex,
        }
        const read = readTransaction(request)
        const tokens = await readTokens(node, ADDRESS, read.acts)
        await compareFor(node, [addressesOf(request, read)], 'pays')
        reviewUnreached(request, 'send', tokens, read)
      }),
      { numRuns: 10 },
    )
  }
})
