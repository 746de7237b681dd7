import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { AbiCoder, Interface, Transaction } from 'ethers'
import { describe, expect, test } from 'vitest'
import { localChain } from '../networks/networks.fixture.ts'
import { postOf, refusal, unreachable } from '../networks/node.fixture.ts'
import { createChain } from '../networks/node.ts'
import { ADDRESS, type Answers, approve, recordingWallet, reject, SECOND, startNode } from '../wallet.fixture.ts'
import { opStackChains } from './op-stack.ts'

const ORACLE = '0x420000000000000000000000000000000000000F'
const oracle = new Interface([
  'function getL1Fee(bytes data) view returns (uint256)',
  'function getL1FeeUpperBound(uint256 size) view returns (uint256)',
])
const L1 = 5n * 10n ** 12n
const L2 = 21_000n * 202n
const BALANCE = 10n ** 15n

type Contract = { getL1Fee?: unknown; getL1FeeUpperBound?: unknown }
const feeWord = (wei: bigint) => AbiCoder.defaultAbiCoder().encode(['uint256'], [wei])

/** Starts a wallet on this chain, whose oracle returns these values and reverts all other calls. */
const start = async (
  chainId: number,
  contract: Contract = { getL1Fee: feeWord(L1), getL1FeeUpperBound: feeWord(L1) },
  answers: Answers = {},
  person = approve,
) => {
  const asked: { name: string; args: readonly unknown[] }[] = []
  const node = startNode({
    eth_getBalance: () => encodeQuantity(BALANCE),
    eth_call: ([call]) => {
      const { to, data } = call as { to: string; data: Hex }
      const read = to === ORACLE ? oracle.parseTransaction({ data }) : null
      if (!read) throw refusal('transactionRejected')
      asked.push({ name: read.name, args: [...read.args] })
      const answer = contract[read.name as keyof Contract]
      if (answer === undefined) throw refusal('transactionRejected')
      if (answer instanceof Error) throw answer
      return answer
    },
    ...answers,
  })
  const headless = await recordingWallet({ chain: node.chain, networks: [{ ...localChain, chainId }], person })
  const { ui, tend } = headless.wallet
  return { ...headless, ui, tend, asked, sent: node.sent }
}

const sending = (chainId: number, amount: bigint) => ({
  from: ADDRESS,
  chainId,
  to: SECOND,
  token: null,
  amount: encodeQuantity(amount),
})
const transfer = (value: bigint) => ({ from: ADDRESS, to: SECOND, value: encodeQuantity(value) })
const names = (findings: readonly { level: string; name: string }[] = []) =>
  findings.map(({ level, name }) => `${level} ${name}`)

for (const chainId of [10, 8453, ...[...opStackChains].slice(-3)])
  describe(`chain ${chainId}`, () => {
    test("a payment's maximum fee includes the L1 fee, at most four times", async () => {
      const { ui } = await start(chainId)
      const { effect, findings } = await ui.reviewSend(sending(chainId, 0n))
      expect(effect.fee).toMatchObject({ l1: encodeQuantity(L1), expected: encodeQuantity(21_000n * 102n + L1) })
      expect(BigInt(effect.fee.atMost)).toBeGreaterThanOrEqual(L2 + L1)
      expect(BigInt(effect.fee.atMost)).toBeLessThanOrEqual(L2 + 4n * L1)
      expect(names(findings)).not.toContain('caution l1FeeUnknown')
    })

    test('the balance minus the maximum fee can be sent, but the balance minus only the L2 fee cannot', async () => {
      const { ui, ask, seen, sent } = await start(chainId)
      const { effect } = await ui.reviewSend(sending(chainId, 0n))
      await ask('eth_sendTransaction', transfer(BALANCE - BigInt(effect.fee.atMost)))
      await ask('eth_sendTransaction', transfer(BALANCE - 2n * 10n ** 13n))
      expect(sent).toHaveLength(2)
      const poor = await ui.reviewSend(sending(chainId, BALANCE - L2))
      expect(names(poor.findings)).toContain('blocked insufficientFunds')
      expect(seen.flatMap(({ findings }) => names(findings)).filter(name => name.startsWith('blocked'))).toEqual([])
    })
  })

test('the contract receives exactly the unsigned transaction that is signed, with its data', async () => {
  const data = `0x${'ab'.repeat(100)}`
  const { ask, asked, sent } = await start(10)
  await ask('eth_sendTransaction', { ...transfer(1n), data, gas: '0x30d40', nonce: '0x0' })
  const { unsignedSerialized } = Transaction.from(sent[0])
  expect(asked[0]).toEqual({ name: 'getL1Fee', args: [unsignedSerialized] })
})

test('if the contract reverts getL1Fee, the upper bound for the length is used', async () => {
  const { ui, asked } = await start(10, { getL1FeeUpperBound: feeWord(L1) })
  const { effect } = await ui.reviewSend(sending(10, 1n))
  expect(effect.fee.l1).toBe(encodeQuantity(L1))
  const [bytes, size] = asked.map(({ args }) => args[0])
  expect(size).toBe(BigInt(String(bytes).length / 2 - 1))
})

const UNREADABLE: Record<string, Contract> = {
  'reverts both': {},
  'has no code': { getL1Fee: '0x', getL1FeeUpperBound: '0x' },
  'returns a short word': { getL1Fee: '0x01', getL1FeeUpperBound: '0x01' },
  'answers null': { getL1Fee: null, getL1FeeUpperBound: null },
  'is on a node that cannot be reached': { getL1Fee: unreachable(), getL1FeeUpperBound: unreachable() },
}
for (const [name, contract] of Object.entries(UNREADABLE))
  test(`a contract that ${name} does not block the transaction, and the user is told`, async () => {
    const { ask, seen, sent } = await start(10, contract)
    await ask('eth_sendTransaction', transfer(1n))
    expect(sent).toHaveLength(1)
    expect(names(seen[0]?.findings)).toContain('caution l1FeeUnknown')
    expect(seen[0]?.effect).toMatchObject({ fee: { atMost: encodeQuantity(L2) } })
  })

test('a contract that does not answer in time does not block the transaction, and the user is told', {
  timeout: 20_000,
}, async () => {
  const oracle = {
    eth_call: ([call]: readonly unknown[]) =>
      (call as { to: string }).to === ORACLE ? new Promise(() => undefined) : '0x',
  }
  const node = postOf(startNode(oracle).chain)
  const networks = [{ ...localChain, chainId: 10, rpcUrls: ['https://node.example/'] }]
  const { wallet } = await recordingWallet({
    chain: createChain(async (url, body, signal) => {
      signal?.throwIfAborted()
      const aborted = new Promise<never>((_, refuse) => signal?.addEventListener('abort', () => refuse(signal.reason)))
      return Promise.race([node(url, body), aborted])
    }),
    networks,
  })
  const { effect, findings } = await wallet.ui.reviewSend(sending(10, 1n))
  expect(effect.fee.atMost).toBe(encodeQuantity(L2))
  expect(names(findings)).toContain('caution l1FeeUnknown')
})

test('each call of a batch pays its L1 fee', async () => {
  const { ask, seen } = await start(10, undefined, {}, reject)
  const calls = [{ to: SECOND, value: '0x1' }, { to: SECOND }, { to: SECOND }]
  const batch = { version: '2.0.0', chainId: '0xa', from: ADDRESS, atomicRequired: false }
  await ask('wallet_sendCalls', { ...batch, calls }).catch(() => null)
  await ask('wallet_sendCalls', {
    ...batch,
    calls: [{ to: SECOND, value: encodeQuantity(BALANCE - 2n * L2 - L1) }, { to: SECOND }],
  }).catch(() => null)
  expect(seen[0]?.effect).toMatchObject({ fee: { l1: encodeQuantity(3n * L1) } })
  expect(names(seen[0]?.findings)).not.toContain('blocked insufficientFunds')
  expect(names(seen[1]?.findings)).toContain('blocked insufficientFunds')
})

test('a signature without sending shows the L1 fee', async () => {
  const { ask, seen } = await start(10)
  await ask('eth_signTransaction', transfer(1n))
  expect(seen[0]?.effect).toMatchObject({ fee: { l1: encodeQuantity(L1) } })
})

test('replacements show the L1 fee', async () => {
  const { ask, ui, asked } = await start(10)
  const hash = String(await ask('eth_sendTransaction', transfer(1n)))
  for (const purpose of ['speedUp', 'cancel'] as const) {
    expect(await ui.readReplacement({ hash, purpose })).toMatchObject({ l1: encodeQuantity(L1) })
    const { to, value } = Transaction.from(String(asked.at(-1)?.args[0]))
    expect([to, value]).toEqual(purpose === 'cancel' ? [ADDRESS, 0n] : [SECOND, 1n])
  }
})

test("the fee paid includes the receipt's L1 fee on chains that charge it in addition to gas", async () => {
  const l2Fee = 21_000n * 102n
  for (const [chainId, l1Fee, fee] of [
    [10, encodeQuantity(L1), l2Fee + L1],
    [8453, '0x0', l2Fee],
    [8453, null, l2Fee],
    [8453, undefined, l2Fee],
    [8453, 'odd', l2Fee],
    [5000, encodeQuantity(L1), l2Fee],
  ] as const) {
    const receipt = {
      status: '0x1',
      blockNumber: '0x10',
      gasUsed: '0x5208',
      effectiveGasPrice: '0x66',
      logs: [],
      l1Fee,
    }
    const { ask, ui, tend } = await start(chainId, undefined, { eth_getTransactionReceipt: () => receipt })
    await ask('eth_sendTransaction', transfer(1n))
    await tend()
    const [record] = await ui.getActivity({ address: ADDRESS, chainId })
    expect(record).toMatchObject({ status: 'confirmed', fee: encodeQuantity(fee) })
  }
})

test("a call's gas margin leaves room for the L1 fee", async () => {
  const { ui } = await start(10, undefined, { eth_estimateGas: () => '0x186a0' })
  const fee = 100_000n * 202n
  const { findings } = await ui.reviewSend(sending(10, BALANCE - fee - L1))
  expect(names(findings)).not.toContain('blocked insufficientFunds')
})

test('chains whose gas includes the L1 fee are not queried', async () => {
  for (const chainId of [1, 42161, 999, 31337]) {
    const { ui, asked } = await start(chainId)
    const { effect, findings } = await ui.reviewSend(sending(chainId, BALANCE - L2))
    expect([asked, effect.fee.atMost, effect.fee.l1]).toEqual([[], encodeQuantity(L2), undefined])
    expect(names(findings)).not.toContain('blocked insufficientFunds')
  }
})
