import { concat, hexlify, keccak256, recoverAddress, toUtf8Bytes, verifyMessage } from 'ethers'
import { describe, expect, test } from 'vitest'
import { MAX_PARAMS } from '../requests/draft.ts'
import { memoryStore } from '../storage/store.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  connectedWallet,
  createdWallet,
  OTHER_SITE,
  PASSWORD,
  recordingWallet,
  SECOND,
  SITE,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

describe('personal_sign', () => {
  test('text and bytes are signed with the EIP-191 prefix and the length in bytes', async () => {
    const { ask } = await recordingWallet()
    for (const text of ['hello', '', 'héllo 語 🎈', 'a\n\tb', 'deadbeef', '12'])
      expect(verifyMessage(text, String(await ask('personal_sign', text, ADDRESS)))).toBe(ADDRESS)
    for (const data of ['0x', '0x00', '0xdeadbeef', `0x${'19'.repeat(300)}`])
      expect(verifyMessage(Buffer.from(data.slice(2), 'hex'), String(await ask('personal_sign', data, ADDRESS)))).toBe(
        ADDRESS,
      )
  })

  test('the shown message is the signed message', async () => {
    const { ask, seen } = await recordingWallet()
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
    const { ask } = await recordingWallet()
    const signature = await ask('personal_sign', 'hello', ADDRESS)
    expect(await ask('personal_sign', ADDRESS, 'hello')).toBe(signature)
    expect(await ask('personal_sign', 'hello', ADDRESS, 'a password')).toBe(signature)
  })

  test("a 20-byte message is a message, even if it equals one of the wallet's accounts", async () => {
    const { ask, seen } = await recordingWallet()
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

  test("two of the site's accounts as params are rejected in either order without asking the user", async () => {
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
    const { wallet, ask } = await recordingWallet()
    await wallet.ui.selectNetwork({ chainId: 8217 })
    expect(verifyMessage('hello', String(await ask('personal_sign', 'hello', ADDRESS)))).toBe(ADDRESS)
  })

  test('a message of a megabyte is signed, and one over the limit is -32005', async () => {
    const { ask } = await recordingWallet()
    const long = 'x'.repeat(1 << 20)
    expect(verifyMessage(long, String(await ask('personal_sign', hexlify(toUtf8Bytes(long)), ADDRESS)))).toBe(ADDRESS)
    await expect(ask('personal_sign', 'x'.repeat(MAX_PARAMS), ADDRESS)).rejects.toMatchObject({
      code: -32005,
      message: `params: longer than ${MAX_PARAMS} characters`,
    })
  })

  test('an invalid message or address is -32602', async () => {
    const { ask, shown } = await recordingWallet()
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
})

describe('chain_sign', () => {
  test('chain_sign and eth_sign sign the message with its prefix, account first', async () => {
    const { ask } = await connectedWallet()
    const hash = `0x${'ab'.repeat(32)}`
    for (const method of ['chain_sign', 'eth_sign']) {
      expect(verifyMessage('hello', String(await ask(method, ADDRESS_LOWER, 'hello')))).toBe(ADDRESS)
      // 32 bytes could be a transaction hash. Because of the prefix, the signature is not valid for the transaction.
      const signature = String(await ask(method, ADDRESS, hash))
      expect(verifyMessage(Buffer.from(hash.slice(2), 'hex'), signature)).toBe(ADDRESS)
      expect(recoverAddress(hash, signature)).not.toBe(ADDRESS)
    }
  })

  test('Kaia has its own prefix, which the user sees', async () => {
    const { wallet, ask, seen } = await recordingWallet()
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
    for (const params of [[], [ADDRESS], [ADDRESS, '0x1'], [ADDRESS, {}]])
      await expect(ask('chain_sign', ...params)).rejects.toMatchObject({ code: -32602 })
  })

  test('an account that the site may not use is 4100', async () => {
    const { wallet, ask } = await connectedWallet()
    await wallet.ui.addAccount({ name: 'Second' })
    await expect(ask('chain_sign', SECOND, 'hello')).rejects.toMatchObject({ code: 4100 })
    const elsewhere = { id: '1', method: 'chain_sign', params: [ADDRESS, 'hello'] }
    await expect(wallet.request(OTHER_SITE, elsewhere)).rejects.toMatchObject({ code: 4100 })
  })
})

describe('both', () => {
  const message = (id: string) => ({ id, method: 'personal_sign', params: ['hello', ADDRESS] })
  const openRequests = async ({ wallet }: ReturnType<typeof startWallet>) => (await wallet.ui.getState(null)).requests

  test('locking between approval and signature prevents signing', async () => {
    const memory = memoryStore()
    let lockOnDecision = false
    const session = {
      ...memory,
      set: async (name: string, value: unknown) => {
        await memory.set(name, value)
        if (lockOnDecision && name === 'requests') await memory.remove('vault-key')
      },
    }
    const headless = await connectedWallet({ person: undecided, store: { local: memoryStore(), session } })
    const answer = headless.wallet.request(SITE, message('1'))
    answer.catch(() => undefined)
    await expect.poll(() => openRequests(headless)).toHaveLength(1)
    const [request] = await openRequests(headless)
    lockOnDecision = true
    await headless.wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0 })
    await expect(answer).rejects.toMatchObject({ code: 4100, message: 'The wallet is locked' })
  })

  test('a request made while locked is shown after the unlock and signed when approved', async () => {
    const headless = await connectedWallet({ person: undecided })
    const { wallet } = headless
    await wallet.ui.lock(null)
    const answer = wallet.request(SITE, message('1'))
    await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(1)
    await wallet.ui.unlock({ password: PASSWORD })
    const [request] = await openRequests(headless)
    await wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0 })
    expect(verifyMessage('hello', String(await answer))).toBe(ADDRESS)
  })

  test('changing the network does not change an open request, and a repeat gets the same signature', async () => {
    const before = await connectedWallet({ person: undecided })
    await before.wallet.ui.selectNetwork({ chainId: 8217 })
    const asked = { id: '1', method: 'klay_sign', params: [ADDRESS, 'hello'] }
    before.wallet.request(SITE, asked).catch(() => undefined)
    await expect.poll(() => openRequests(before)).toHaveLength(1)
    await before.wallet.ui.selectNetwork({ chainId: 1 })

    const after = startWallet({ store: before.store })
    const { signature } = { signature: await after.wallet.request(SITE, asked) }
    await after.wallet.ui.selectNetwork({ chainId: 8217 })
    expect(await after.wallet.request(SITE, { ...asked, id: '2' })).toBe(signature)
  })
})
