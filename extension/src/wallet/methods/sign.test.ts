import { concat, keccak256, recoverAddress, toUtf8Bytes, verifyMessage } from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { ADDRESS, ADDRESS_LOWER, approve, connectedWallet, OTHER_SITE, SECOND } from '../wallet.fixture.ts'

test('chain_sign and eth_sign sign the message with its prefix, account first', async () => {
  const { ask } = await connectedWallet()
  const hash = `0x${'ab'.repeat(32)}`
  for (const method of ['chain_sign', 'eth_sign']) {
    expect(verifyMessage('hello', String(await ask(method, ADDRESS_LOWER, 'hello')))).toBe(ADDRESS)
    // 32 bytes could be a transaction hash; with the prefix the signature is not valid for the transaction.
    const signature = String(await ask(method, ADDRESS, hash))
    expect(verifyMessage(Buffer.from(hash.slice(2), 'hex'), signature)).toBe(ADDRESS)
    expect(recoverAddress(hash, signature)).not.toBe(ADDRESS)
  }
})

test('Kaia has its own prefix, which the person sees', async () => {
  const seen: RequestView[] = []
  const { wallet, ask } = await connectedWallet({
    person: request => {
      seen.push(request)
      return approve(request)
    },
  })
  await wallet.ui.selectNetwork({ chainId: 8217 })
  const prefixed = concat([toUtf8Bytes('\x19Klaytn Signed Message:\n6'), toUtf8Bytes('héllo')])
  for (const method of ['chain_sign', 'eth_sign', 'klay_sign', 'kaia_sign'])
    expect(recoverAddress(keccak256(prefixed), String(await ask(method, ADDRESS, 'héllo')))).toBe(ADDRESS)
  expect(seen[0]).toMatchObject({ effect: { signedAs: 'Klaytn Signed Message' }, network: { chainId: 8217 } })
})

test('the method prefix of another network is unknown', async () => {
  const { ask } = await connectedWallet()
  await expect(ask('klay_sign', ADDRESS, 'hello')).rejects.toMatchObject({ code: -32601 })
})

test('the message as the first param is -32602', async () => {
  const { ask } = await connectedWallet()
  await expect(ask('chain_sign', 'hello', ADDRESS)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('params[0]: must be an address'),
  })
  for (const params of [[], [ADDRESS], [ADDRESS, 'hello', 'more'], [ADDRESS, '0x1'], [ADDRESS, {}]])
    await expect(ask('chain_sign', ...params)).rejects.toMatchObject({ code: -32602 })
})

test('an account outside the permission is 4100', async () => {
  const { wallet, ask } = await connectedWallet()
  await wallet.ui.addAccount({ name: 'Second' })
  await expect(ask('chain_sign', SECOND, 'hello')).rejects.toMatchObject({ code: 4100 })
  const elsewhere = { id: '1', method: 'chain_sign', params: [ADDRESS, 'hello'] }
  await expect(wallet.request(OTHER_SITE, elsewhere)).rejects.toMatchObject({ code: 4100 })
})
