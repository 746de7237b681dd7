import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { Transaction } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { ADDRESS, approve, recordingWallet, SECOND, startNode } from '../wallet.fixture.ts'

test('the signed values are the shown ones, however the request spells them', async () => {
  const seen: RequestView[] = []
  const person = (request: RequestView) => {
    seen.push(request)
    return approve(request)
  }
  const { ask } = await recordingWallet({ chain: startNode({}).chain, person })
  const number = fc.bigInt({ min: 0n, max: 1_000_000n })
  const zeros = fc.nat(20).map(count => '0'.repeat(count))
  const spelled = fc.record({
    value: number,
    gas: number,
    nonce: number,
    zeros,
    data: fc.nat(5).map(length => `0x${'ab'.repeat(length)}`),
    empty: fc.constantFrom('', '0x', undefined),
    isInput: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(spelled, async ({ value, gas, nonce, zeros, data, empty, isInput }) => {
      const spell = (meant: bigint) => `0x${zeros}${meant.toString(16)}`
      const request = {
        from: ADDRESS,
        to: SECOND,
        value: spell(value),
        gas: spell(gas),
        nonce: spell(nonce),
        ...(isInput ? { input: data, data: empty } : { data, input: empty }),
      }
      const signed = Transaction.from(String(await ask('eth_signTransaction', request)))
      const effect = seen.at(-1)?.effect
      if (effect?.kind !== 'transaction') throw new Error('no transaction is shown')
      expect([signed.value, signed.gasLimit, BigInt(signed.nonce), signed.data]).toEqual([value, gas, nonce, data])
      expect([effect.value, effect.fee?.gas, effect.nonce, effect.data]).toEqual([
        encodeQuantity(value),
        encodeQuantity(gas),
        encodeQuantity(nonce),
        data,
      ])
    }),
    { numRuns: 30 },
  )
})
