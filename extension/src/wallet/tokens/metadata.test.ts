import type { Network } from '@heliograph/shared/network'
import { AbiCoder } from 'ethers'
import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { ADDRESS, chainOf } from '../wallet.fixture.ts'
import { readToken } from './metadata.ts'

const [network] = testNetworks as [Network]
const encode = (type: string, value: unknown) => AbiCoder.defaultAbiCoder().encode([type], [value])

const read = (answers: Record<string, unknown>) =>
  readToken(
    chainOf({
      eth_call: ([call, block]) => {
        const { to, data } = call as { to: string; data: string }
        expect([to, block]).toEqual([ADDRESS, 'latest'])
        return answers[data]
      },
    }),
    network,
    ADDRESS,
  )

test('reads symbol and decimals from the contract', async () => {
  const answers = { '0x95d89b41': encode('string', 'ÖRE'), '0x313ce567': encode('uint8', 6) }
  expect(await read(answers)).toEqual({ symbol: 'ÖRE', decimals: 6 })
})

test('non-standard responses count as absent', async () => {
  for (const answer of [
    '0x',
    undefined,
    null,
    7,
    'text',
    encode('uint256', 256),
    encode('bytes32', `0x${'61'.repeat(32)}`),
  ])
    expect(await read({ '0x95d89b41': answer, '0x313ce567': answer }), String(answer)).toEqual({
      symbol: null,
      decimals: null,
    })
})

test('an unreachable node returns nothing', async () => {
  expect(await readToken(chainOf({}), network, ADDRESS)).toEqual({ symbol: null, decimals: null })
})
