import { expect, test } from 'vitest'
import { startWallet } from '../wallet.fixture.ts'

test('web3_sha3 returns Keccak-256 without a node and before setup', async () => {
  const { ask } = startWallet()
  // The example in EIP-1474, and the hash of empty input.
  expect(await ask('web3_sha3', '0x68656c6c6f20776f726c64')).toBe(
    '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
  )
  expect(await ask('web3_sha3', '0x')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
})

test('invalid params are -32602', async () => {
  const { ask } = startWallet()
  for (const params of [[], ['hello'], ['0x1'], [1]])
    await expect(ask('web3_sha3', ...params), JSON.stringify(params)).rejects.toMatchObject({ code: -32602 })
})
