import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { keccak256, verifyAuthorization } from 'ethers'
import { expect, test } from 'vitest'
import { BATCH_DELEGATE } from '../../messages.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { ADDRESS, type Answers, connectedWallet, OTHER_SITE, SECOND, startNode } from '../wallet.fixture.ts'
import { BATCH_DELEGATE_CODE, batchAnswers, UPGRADED } from './batch-delegate.fixture.ts'

const OTHER_DELEGATE = `0xef0100${SECOND.slice(2).toLowerCase()}` as Hex
const CHAIN = '0x7a69'

const statusWith = async (answers: Answers) => {
  const { ask } = await connectedWallet({ chain: startNode(answers).chain })
  const capabilities = await ask('wallet_getCapabilities', ADDRESS, [CHAIN])
  return (capabilities as Record<string, { atomic: { status: string } }>)[CHAIN]?.atomic.status
}

test('the published code is the code whose hash the wallet accepts', () => {
  expect(keccak256(BATCH_DELEGATE_CODE)).toBe('0x82c1e6c0f83d22eef579344e8eff26baf24db4dabe5408d681b00d0512bc3ec4')
})

test('an account without code is ready, an account with the code is supported', async () => {
  expect(await statusWith(batchAnswers())).toBe('ready')
  expect(await statusWith(batchAnswers(() => UPGRADED))).toBe('supported')
  expect(await statusWith(batchAnswers(() => UPGRADED.toUpperCase().replace('0X', '0x') as Hex))).toBe('supported')
})

test('an account with the code of another contract is ready, because that code can be replaced', async () => {
  expect(await statusWith(batchAnswers(() => OTHER_DELEGATE))).toBe('ready')
})

test('an account with any other code is unsupported', async () => {
  for (const code of ['0x6001', `${UPGRADED}00`, UPGRADED.slice(0, -2)] as Hex[])
    expect(await statusWith(batchAnswers(() => code)), code).toBe('unsupported')
})

test('a network without the contract, or with other code at its address, is unsupported for every account', async () => {
  const changed = `${BATCH_DELEGATE_CODE.slice(0, -2)}00`
  for (const found of ['0x', changed, BATCH_DELEGATE_CODE.slice(0, -2), `${BATCH_DELEGATE_CODE}00`, null, 7])
    for (const code of ['0x', UPGRADED, OTHER_DELEGATE] as const) {
      const eth_getCode: Answers[string] = ([address]) => (address === BATCH_DELEGATE ? found : code)
      expect(await statusWith({ ...batchAnswers(), eth_getCode }), String(found)).toBe('unsupported')
    }
})

test('a network without delegations, or a node that does not try them, is unsupported for an account without code', async () => {
  const refuse = () => {
    throw refusal('invalidInput', 'unknown field authorizationList')
  }
  for (const eth_call of [() => '0x', () => `0x${'0'.repeat(64)}`, () => null, refuse])
    expect(await statusWith({ ...batchAnswers(), eth_call })).toBe('unsupported')
})

test('with an unreachable node, the network is unsupported', async () => {
  const eth_getCode = () => {
    throw unreachable()
  }
  expect(await statusWith({ ...batchAnswers(), eth_getCode })).toBe('unsupported')
})

test('only the nodes of the networks that a connected site names are asked, and no others', async () => {
  const asked: number[] = []
  const node = startNode(batchAnswers())
  const { ask, wallet } = await connectedWallet({
    chain: async (network, method, params) => {
      asked.push(network.chainId)
      return node.chain(network, method, params)
    },
  })
  const elsewhere = { id: '1', method: 'wallet_getCapabilities', params: [ADDRESS, [CHAIN]] }
  await wallet.request(OTHER_SITE, elsewhere).catch(() => null)
  await ask('wallet_getCapabilities', ADDRESS, ['0x1', '0x5'])
  expect(asked).toEqual([])
  await ask('wallet_getCapabilities', ADDRESS, [CHAIN])
  expect(new Set(asked)).toEqual(new Set([31337]))
})

test('delegations are tried with a new account that has no key here, for this network only', async () => {
  const tried: { to: string; authorizationList: readonly [Record<string, Hex>] }[] = []
  const node = batchAnswers()
  const eth_call: Answers[string] = params => {
    tried.push(params[0] as (typeof tried)[number])
    return node.eth_call?.(params)
  }
  for (const _ of [1, 2]) await statusWith({ ...node, eth_call })
  for (const { to, authorizationList } of tried) {
    const [{ address, chainId, nonce, yParity, r, s }] = authorizationList
    const signature = { r: r?.slice(2).padStart(64, '0'), s: s?.slice(2).padStart(64, '0') }
    const signed = { r: `0x${signature.r}`, s: `0x${signature.s}`, yParity: Number(yParity) as 0 | 1 }
    expect([address, chainId, nonce]).toEqual([BATCH_DELEGATE, encodeQuantity(31337), '0x0'])
    expect(verifyAuthorization({ address: String(address), chainId: 31337, nonce: 0 }, signed)).toBe(to)
    expect([ADDRESS, SECOND]).not.toContain(to)
  }
  expect(new Set(tried.map(({ to }) => to)).size).toBe(2)
})

test('while a removal of the code is on its way, the account is ready', async () => {
  const { chain } = startNode({ ...batchAnswers(() => UPGRADED), eth_getTransactionReceipt: () => null })
  const { ask, wallet } = await connectedWallet({ chain })
  const status = async () => await ask('wallet_getCapabilities', ADDRESS, [CHAIN])
  expect(await status()).toEqual({ [CHAIN]: { atomic: { status: 'supported' } } })
  await wallet.ui.removeDelegation({ address: ADDRESS, chainId: 31337, payer: ADDRESS, id: 'a' })
  expect(await status()).toEqual({ [CHAIN]: { atomic: { status: 'ready' } } })
})
