/** A property of all functions that the wallet decodes: whatever their arguments are, the call is reviewed. */
import { toAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import fc from 'fast-check'
import { test } from 'vitest'
import { argumentsOf, encode, knownFunctions } from '../../../../test/vectors/calldata-arbitrary.ts'
import { readTransaction, reviewUnreached } from '../review/transaction.ts'
import { memoryStore } from '../storage/store.ts'
import { createAssets } from '../tokens/assets.ts'
import { readTokens } from '../tokens/tokens.ts'
import { ADDRESS, chainOf, PUBLIC_NETWORKS, SECOND } from '../wallet.fixture.ts'
import { addressesOf } from './address-checks.ts'
import { compareFor } from './checked-facts.ts'

/** Each is the account, the called contract, or neither. */
const ADDRESSES = fc.constantFrom(ADDRESS, SECOND, `0x${'0'.repeat(40)}`, `0x${'e'.repeat(40)}`)
const [from, to] = [toAddress(ADDRESS), toAddress(SECOND)]
const [network] = PUBLIC_NETWORKS as [Network]
const node = { chain: chainOf({}), network, assets: createAssets(memoryStore()) }

test('no arguments of a decoded function stop the review of its call', async () => {
  for (const called of knownFunctions)
    await fc.assert(
      fc.asyncProperty(argumentsOf(called.parameters, ADDRESSES), async ({ given }) => {
        const request = { from, to, data: encode(called, given) }
        const read = readTransaction(request)
        const tokens = await readTokens(node, from, read.acts)
        await compareFor(node, [addressesOf(request, read)], 'pays')
        reviewUnreached(request, 'send', tokens, read)
      }),
      { numRuns: 10 },
    )
})
