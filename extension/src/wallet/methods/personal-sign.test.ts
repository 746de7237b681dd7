import { hexlify, toUtf8Bytes, verifyMessage } from 'ethers'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { MAX_PARAMS } from '../intake/intake.ts'
import { ADDRESS, ADDRESS_LOWER, approve, connectedWallet, createdWallet, SECOND } from '../wallet.fixture.ts'

/** A connected wallet that records each shown request and approves it. */
const start = async () => {
  const seen: RequestView[] = []
  const headless = await connectedWallet({
    person: request => {
      seen.push(request)
      return approve(request)
    },
  })
  return { ...headless, seen }
}

test('text and bytes are signed with the EIP-191 prefix and the length in bytes', async () => {
  const { ask } = await start()
  for (const text of ['hello', '', 'héllo 語 🎈', 'a\n\tb', 'deadbeef', '12'])
    expect(verifyMessage(text, String(await ask('personal_sign', text, ADDRESS)))).toBe(ADDRESS)
  for (const data of ['0x', '0x00', '0xdeadbeef', `0x${'19'.repeat(300)}`])
    expect(verifyMessage(Buffer.from(data.slice(2), 'hex'), String(await ask('personal_sign', data, ADDRESS)))).toBe(
      ADDRESS,
    )
})

test('the shown message is the signed message', async () => {
  const { ask, seen } = await start()
  const text = 'Sign in to site.example'
  await ask('personal_sign', hexlify(toUtf8Bytes(text)), ADDRESS_LOWER)
  expect(seen).toMatchObject([
    {
      method: 'personal_sign',
      account: { address: ADDRESS },
      effect: {
        kind: 'message',
        text,
        bytes: hexlify(toUtf8Bytes(text)),
        signedAs: 'Ethereum Signed Message',
        signIn: null,
      },
      findings: [],
    },
  ])
})

test('the params may be in the order of eth_sign, and a third one is ignored', async () => {
  const { ask } = await start()
  const signature = await ask('personal_sign', 'hello', ADDRESS)
  expect(await ask('personal_sign', ADDRESS, 'hello')).toBe(signature)
  expect(await ask('personal_sign', 'hello', ADDRESS, 'a password')).toBe(signature)
})

test('a message of 20 bytes is a message, even if it equals an own account', async () => {
  const { ask, seen } = await start()
  for (const message of [ADDRESS, ADDRESS_LOWER, SECOND]) {
    const signature = String(await ask('personal_sign', message, ADDRESS))
    expect(verifyMessage(Buffer.from(message.slice(2), 'hex'), signature)).toBe(ADDRESS)
    expect(seen.at(-1)).toMatchObject({
      account: { address: ADDRESS },
      effect: { bytes: message.toLowerCase(), text: null },
      findings: [{ name: 'notText' }],
    })
  }
  await expect(ask('personal_sign', ADDRESS, SECOND)).rejects.toMatchObject({ code: 4100 })
})

test('two accounts of the site as params are rejected in either order without asking the person', async () => {
  const { wallet, ask, shown } = await createdWallet()
  const { address } = await wallet.ui.addAccount({ name: 'Second' })
  expect(address).toBe(SECOND)
  await ask('eth_requestAccounts')
  shown.length = 0
  for (const params of [
    [ADDRESS, SECOND],
    [SECOND.toLowerCase(), ADDRESS_LOWER],
  ])
    await expect(ask('personal_sign', ...params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('both are accounts'),
    })
  expect(shown).toEqual([])
  expect(await ask('personal_sign', SECOND, SECOND)).toMatch(/^0x[0-9a-f]{130}$/)
})

test('personal_sign uses the Ethereum prefix on Kaia', async () => {
  const { wallet, ask } = await start()
  await wallet.ui.selectNetwork({ chainId: 8217 })
  expect(verifyMessage('hello', String(await ask('personal_sign', 'hello', ADDRESS)))).toBe(ADDRESS)
})

test('a message of a megabyte is signed, and one over the limit is -32005', async () => {
  const { ask } = await start()
  const long = 'x'.repeat(1 << 20)
  expect(verifyMessage(long, String(await ask('personal_sign', hexlify(toUtf8Bytes(long)), ADDRESS)))).toBe(ADDRESS)
  await expect(ask('personal_sign', 'x'.repeat(MAX_PARAMS), ADDRESS)).rejects.toMatchObject({
    code: -32005,
    message: `params: longer than ${MAX_PARAMS} characters`,
  })
})

test('an invalid message or address is -32602', async () => {
  const { ask, shown } = await start()
  const wrong: unknown[][] = [
    [],
    ['hello'],
    ['0x123', ADDRESS],
    ['\ud800', ADDRESS],
    [5, ADDRESS],
    [null, ADDRESS],
    [['hello'], ADDRESS],
    ['hello', ADDRESS.slice(0, -1)],
    ['hello', ADDRESS.replace('f39F', 'F39f')],
    ['hello', null],
    ['hello', 'hello'],
  ]
  for (const params of wrong)
    await expect(ask('personal_sign', ...params), JSON.stringify(params)).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})
