/**
 * The wallet's transactions on a real chain, without a browser: nonces, the outcomes of sent transactions,
 * replacements, a reset chain, delegations, and simulated effects. The chain and ethers verify them, never the
 * project's own code.
 */

import type { Network } from '@heliograph/shared/network'
import { AbiCoder, concat, id as hashOf, Interface, parseEther, Transaction, toQuantity, Wallet } from 'ethers'
import { afterEach, expect, test } from 'vitest'
import { testNetworks } from '../../extension/src/wallet/networks/networks.fixture.ts'
import { refusal } from '../../extension/src/wallet/networks/node.fixture.ts'
import { createChain } from '../../extension/src/wallet/networks/node.ts'
import { RESEND_PAUSE, SECOND_LOOK } from '../../extension/src/wallet/transactions/watching.ts'
import { ADDRESS, connectedWallet, SECOND, startWallet } from '../../extension/src/wallet/wallet.fixture.ts'
import { startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { freePort } from '../support/free-port.ts'

const [local] = testNetworks as [Network]
const CHAIN = { chainId: 31337 }
const OWN = { address: ADDRESS, ...CHAIN }
const transfer = { from: ADDRESS, to: SECOND, value: '0x1' }
const send = { from: ADDRESS, to: SECOND, token: null, amount: '0x1', ...CHAIN }
const ZERO = `0x${'0'.repeat(40)}`

const byte = (value: number) => value.toString(16).padStart(2, '0')
/** Returns creation code that deploys `runtime`. */
const deploying = (runtime: string) => {
  const size = byte(runtime.length / 2)
  return `0x60${size}600c60003960${size}6000f3${runtime}`
}
/** Returns creation code of a contract that reverts every call with a reason string. */
const refusing = (words: string) => {
  const data = concat([hashOf('Error(string)').slice(0, 10), AbiCoder.defaultAbiCoder().encode(['string'], [words])])
  const size = byte((data.length - 2) / 2)
  return deploying(`60${size}600c60003960${size}6000fd${data.slice(2)}`)
}
/** A token with one decimal that logs every requested transfer. */
const token = deploying(
  `60243560005260043533${'7f'}${hashOf('Transfer(address,address,uint256)').slice(2)}60206000a3600160005260206000f3`,
)

const running: { stop(): unknown }[] = []
afterEach(async () => {
  for (const part of running.splice(0).toReversed()) await part.stop()
})

const startChain = async (port = 0, args: readonly string[] = []) => {
  const anvil = await startAnvil({ port, args })
  const provider = openChain(anvil.url)
  running.push({ stop: () => provider.destroy() }, anvil)
  const mine = () => provider.send('evm_mine', [])
  const manually = () => provider.send('evm_setAutomine', [false])
  return { url: anvil.url, provider, mine, manually, stop: anvil.stop }
}

const start = async (port = 0) => {
  const there = await startChain(port)
  const clock = { time: 1_700_000_000_000 }
  const networks = [{ ...local, rpcUrls: [there.url] }]
  const headless = await connectedWallet({ chain: createChain(), networks, now: () => clock.time })
  const { ui } = headless.wallet
  const ask = async (...request: Parameters<typeof headless.ask>) => {
    const answer = await headless.ask(...request)
    // The chain accepts a transaction a moment before it can return it. This call waits until the transaction is mined.
    await there.provider.send('eth_blockNumber', [])
    return answer
  }
  const activity = () => ui.getActivity(OWN)
  const statuses = async () => (await activity()).map(({ status }) => status)
  const deploy = async (code: string) => {
    const hash = String(await ask('eth_sendTransaction', { from: ADDRESS, data: code }))
    return String((await there.provider.getTransactionReceipt(hash))?.contractAddress)
  }
  return { ...headless, ...there, ui, ask, clock, activity, statuses, deploy }
}

test('a sent transaction is confirmed when it is mined, with its fee', async () => {
  const { ask, wallet, ui, provider } = await start()
  const hash = String(await ask('eth_sendTransaction', transfer))
  await wallet.tend()
  const receipt = await provider.getTransactionReceipt(hash)
  const { activity } = await ui.getState(null)
  expect(activity).toMatchObject([{ hash, status: 'confirmed', nonce: '0x0' }])
  expect(BigInt(String(activity[0]?.fee))).toBe(receipt?.fee)
  expect(Number(activity[0]?.block)).toBe(receipt?.blockNumber)
})

test("a failure is explained with the contract's reason", async () => {
  const { ask, activity, deploy } = await start()
  const to = await deploy(refusing('price moved'))
  await ask('eth_sendTransaction', { from: ADDRESS, to, data: '0x12345678', gas: '0x186a0' })
  expect(await activity()).toMatchObject([
    { status: 'failed', failure: { name: 'reverted', reason: 'price moved' } },
    { status: 'confirmed' },
  ])
  const endless = await deploy(deploying('5b600056'))
  await ask('eth_sendTransaction', { from: ADDRESS, to: endless, gas: '0x186a0' })
  expect((await activity())[0]).toMatchObject({ status: 'failed', failure: { name: 'outOfGas' } })
})

test('nonces follow pending transactions of this and other wallets, and signed unsent ones', async () => {
  const { ask, provider, mine, manually, statuses } = await start()
  await manually()
  const nonceOf = async (hash: unknown) => (await provider.getTransaction(String(hash)))?.nonce
  expect(await nonceOf(await ask('eth_sendTransaction', transfer))).toBe(0)
  expect(await nonceOf(await provider.send('eth_sendTransaction', [{ ...transfer, gas: '0x5208' }]))).toBe(1)
  expect(await nonceOf(await ask('eth_sendTransaction', transfer))).toBe(2)
  const raws = [await ask('eth_signTransaction', transfer), await ask('eth_signTransaction', transfer)]
  expect(raws.map(raw => Transaction.from(String(raw)).nonce)).toEqual([3, 4])
  for (const raw of raws) await ask('eth_sendRawTransaction', raw)
  await mine()
  expect(await statuses()).toEqual(['confirmed', 'confirmed', 'confirmed', 'confirmed'])
  expect(await provider.getTransactionCount(ADDRESS)).toBe(5)
})

test('a transaction that is only signed blocks no others, and is replaced once its nonce is used', async () => {
  const { ask, provider, statuses } = await start()
  await ask('eth_signTransaction', { ...transfer, value: '0x2' })
  expect(await statuses()).toEqual(['signed'])
  const hash = String(await ask('eth_sendTransaction', transfer))
  expect((await provider.getTransactionReceipt(hash))?.status).toBe(1)
  expect(await statuses()).toEqual(['confirmed', 'replaced'])
})

test('a transaction that the node dropped is sent again with the same bytes, and a replaced one is reported', async () => {
  const { ask, wallet, provider, mine, manually, statuses, clock } = await start()
  await manually()
  const hash = String(await ask('eth_sendTransaction', transfer))
  const forget = () => provider.send('anvil_dropTransaction', [hash])
  await forget()
  expect(await provider.getTransaction(hash)).toBeNull()
  clock.time += RESEND_PAUSE
  await wallet.tend()
  expect((await provider.getTransaction(hash))?.nonce).toBe(0)
  await forget()
  await provider.send('eth_sendTransaction', [{ ...transfer, value: '0x7', gas: '0x5208', nonce: '0x0' }])
  clock.time += RESEND_PAUSE
  await wallet.tend()
  expect(await statuses()).toEqual(['pending'])
  await mine()
  await wallet.tend()
  expect(await statuses()).toEqual(['pending'])
  clock.time += SECOND_LOOK
  await wallet.tend()
  expect(await statuses()).toEqual(['replaced'])
})

test('a pending transaction is sped up and cancelled, and the last replacement is mined', async () => {
  const { ask, ui, provider, mine, manually, activity } = await start()
  await manually()
  for (const prices of [{}, { gasPrice: '0x77359400' }, { gasPrice: '0x77359400', accessList: [] }]) {
    const slow = String(await ask('eth_sendTransaction', { ...transfer, ...prices }))
    const fast = await ui.speedUp({ hash: slow })
    const nothing = await ui.cancelTransaction({ hash: fast })
    await mine()
    expect((await provider.getTransactionReceipt(nothing))?.status).toBe(1)
    expect((await activity()).slice(0, 3)).toMatchObject([
      { hash: nothing, purpose: 'cancel', status: 'confirmed', replaces: slow },
      { hash: fast, purpose: 'speedUp', status: 'replaced', replacedBy: nothing },
      { hash: slow, status: 'replaced', replacedBy: nothing },
    ])
  }
})

test('a transfer from the wallet has the reviewed effect', async () => {
  const { ui, provider, deploy } = await start()
  const to = await deploy(token)
  const { effect } = await ui.reviewSend({ ...send, token: to, amount: '0x19' })
  expect(effect).toMatchObject({ to, call: { name: 'transfer' }, nonces: { next: '0x1' } })
  const hash = await ui.sendOwn({ ...send, id: 'a', token: to, amount: '0x19', gas: effect.fee.gas })
  const receipt = await provider.getTransactionReceipt(hash)
  expect(receipt?.logs.map(({ topics, data }) => [BigInt(String(topics[2])), BigInt(data)])).toEqual([
    [BigInt(SECOND), 25n],
  ])
})

test('a reset chain is reported, accepts transactions, and has no activity after clearing it', async () => {
  const port = await freePort()
  const before = await start(port)
  const { ask, ui, statuses } = before
  await ask('eth_sendTransaction', transfer)
  await before.manually()
  await ask('eth_sendTransaction', transfer)
  expect(await statuses()).toEqual(['pending', 'confirmed'])
  await before.stop()
  // The start time is set, because chains that start within the same second would have the same first block.
  const after = await startChain(port, ['--timestamp', '1900000000'])
  const hash = String(await ask('eth_sendTransaction', transfer))
  expect((await ui.getState(null)).resetChains).toEqual([31337])
  expect(await after.provider.getTransactionReceipt(hash)).toMatchObject({ status: 1 })
  expect((await after.provider.getTransaction(hash))?.nonce).toBe(0)
  await ui.resetChain(CHAIN)
  expect(await statuses()).toEqual([])
  await ask('eth_sendTransaction', transfer)
  expect(await statuses()).toEqual(['confirmed'])
  expect((await ui.getState(null)).resetChains).toEqual([])
})

test('a delegation is shown and ended, paid by the account itself or by another account of the user', async () => {
  const { ui, provider, activity } = await start()
  await ui.addAccount({ name: 'Second' })
  const delegate = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const keys = { account: Wallet.fromPhrase('test test test test test test test test test test test junk', provider) }
  const helper = new Wallet(`0x${'46'.repeat(32)}`, provider)
  await provider.send('anvil_setBalance', [helper.address, '0xde0b6b3a7640000'])
  const delegateNow = async () => {
    const nonce = await provider.getTransactionCount(ADDRESS)
    const authorization = await keys.account.authorize({ address: delegate, chainId: 31337, nonce })
    const sent = await helper.sendTransaction({
      type: 4,
      to: ADDRESS,
      authorizationList: [authorization],
      gasLimit: 100_000,
    })
    await sent.wait()
    expect(await ui.getDelegation(OWN)).toBe(delegate)
  }
  expect(await ui.getDelegation(OWN)).toBeNull()
  await expect(ui.reviewRemoval({ ...OWN, payer: ADDRESS })).rejects.toMatchObject({ code: -32602 })
  for (const payer of [ADDRESS, SECOND]) {
    await delegateNow()
    const count = await provider.getTransactionCount(payer)
    const { fee, findings } = await ui.reviewRemoval({ ...OWN, payer })
    expect([BigInt(fee.atMost) > 0n, findings]).toEqual([true, []])
    const hash = await ui.removeDelegation({ ...OWN, payer, id: payer })
    expect(await ui.removeDelegation({ ...OWN, payer, id: payer })).toBe(hash)
    expect(await provider.getCode(ADDRESS)).toBe('0x')
    expect(await ui.getDelegation(OWN)).toBeNull()
    const { from, authorizationList } = (await provider.getTransaction(hash)) ?? {}
    expect(from).toBe(payer)
    expect(authorizationList?.map(({ address, chainId }) => [address, chainId])).toEqual([[ZERO, 31337n]])
    expect(await provider.getTransactionCount(payer)).toBe(payer === ADDRESS ? count + 2 : count + 1)
  }
  expect(await activity()).toMatchObject([{ purpose: 'removeDelegation', status: 'confirmed', account: ADDRESS }])
})

test('the effect of a transaction is shown beforehand, by any method that the node supports', async () => {
  const { deploy, url, store, provider } = await start()
  const to = await deploy(token)
  const refuses = await deploy(refusing('not you'))
  const chain = createChain()
  const without = (missing: readonly string[]) => {
    const asked = { ...local, rpcUrls: [url] }
    return startWallet({
      networks: [asked],
      store,
      chain: async (network, method, params) => {
        if (missing.includes(method)) throw refusal('methodNotFound')
        return chain(network, method, params)
      },
    })
  }
  for (const [by, missing] of [
    ['simulate', []],
    ['trace', ['eth_simulateV1']],
  ] as const) {
    const { wallet } = without(missing)
    const { simulation: currency, balance } = (await wallet.ui.reviewSend({ ...send, amount: '0x5' })).effect
    expect(balance).toBe(toQuantity(await provider.getBalance(ADDRESS)))
    expect(currency).toEqual({
      by,
      failure: null,
      changes: [
        {
          ...{ kind: 'native', token: null, id: null, direction: 'out', amount: '0x5', symbol: null, decimals: null },
          ...{ parties: [SECOND], held: balance },
        },
      ],
      hidden: 0,
    })
    const tokens = (await wallet.ui.reviewSend({ ...send, token: to, amount: '0x19' })).effect.simulation
    expect(tokens).toMatchObject({
      by,
      changes: [{ kind: 'erc20', token: to, direction: 'out', amount: '0x19', symbol: null, decimals: 1 }],
    })
    const failing = (await wallet.ui.reviewSend({ ...send, token: refuses })).effect.simulation
    expect(failing).toMatchObject({ by, failure: 'not you', changes: [] })
  }
  const { wallet } = without(['eth_simulateV1', 'debug_traceCall'])
  expect((await wallet.ui.reviewSend(send)).effect.simulation).toEqual({
    by: 'call',
    failure: null,
    changes: null,
    hidden: 0,
  })
  expect((await wallet.ui.reviewSend({ ...send, token: refuses })).effect.simulation).toMatchObject({
    by: 'call',
    failure: 'not you',
  })
})

/** Sends all its coins if tx.gasprice is 0, as in a simulation without fees. */
const paysAtNoPrice = '0x3a15600657005b600060006000600047335af100'
/** Sends all its coins if the block number is the first simulation's. */
const paysInBlock = (number: number) => `0x4360${byte(number)}14600857005b600060006000600047335af100`

test('a contract cannot recognize a simulation by its gas price or block and fake a payout', async () => {
  const { url, store, provider, deploy } = await start()
  const chain = createChain()
  const to = await deploy(deploying('00'))
  await provider.send('anvil_setBalance', [to, toQuantity(parseEther('10'))])
  const amount = toQuantity(parseEther('4.9'))
  for (const missing of ['', 'eth_simulateV1']) {
    const { wallet } = startWallet({
      networks: [{ ...local, rpcUrls: [url] }],
      store,
      chain: async (network, method, params) => {
        if (method === missing) throw refusal('methodNotFound')
        return chain(network, method, params)
      },
    })
    const simulated = async (code: string) => {
      await provider.send('anvil_setCode', [to, code])
      return (await wallet.ui.reviewSend({ ...send, to, amount })).effect.simulation
    }
    const lines = (view: Awaited<ReturnType<typeof simulated>>) =>
      view?.changes?.map(({ direction, amount: moved }) => [direction, BigInt(moved)])
    const paid = ['out', parseEther('4.9')]

    const honest = await simulated(paysAtNoPrice)
    expect(lines(honest)).toEqual([paid])
    expect(honest).not.toHaveProperty('differs')

    const next = (await provider.getBlockNumber()) + 1
    const trick = await simulated(paysInBlock(next))
    expect(lines(trick)).toEqual([paid, ['in', parseEther('14.9')]])
    expect(trick).toHaveProperty('differs', true)
  }
})

const selectorOf = (text: string) => hashOf(text).slice(2, 10)
/** Returns a contract with two functions: `setter` runs the code `set`, `getter` the code `get`. */
const registry = (setter: string, set: string, getter: string, get: string) => {
  const START = 31
  const at = byte(START + set.length / 2)
  const dispatch = `60003560e01c8063${selectorOf(setter)}1460${byte(START)}578063${selectorOf(getter)}1460${at}57`
  return `${dispatch}60006000fd${set}${get}`
}
const argument = (place: number) => `60${byte(4 + 32 * place)}35`
const event = (text: string) => `7f${hashOf(text).slice(2)}`
const done = '600160005260206000f3'
/** Returns bytecode of an allowance setter: it stores the value by caller and spender, and logs it. */
const allowing = (setter: string, getter: string, logged: string) => {
  const value = argument(1)
  const set = `5b33600052${argument(0)}602052${value}604060002055${value}604052${argument(0)}33${event(logged)}60206040a3${done}`
  const get = `5b${argument(0)}600052${argument(1)}60205260406000205460005260206000f3`
  return registry(setter, set, getter, get)
}
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** The functions of Permit2 that allow, read and log. It stores the amount and the expiry next to each other. */
const permit2 = registry(
  'approve(address,address,uint160,uint48)',
  `5b33600052${argument(0)}602052${argument(1)}604052${argument(3)}606060002060010155${argument(2)}606060002055${argument(2)}606052${argument(3)}608052${argument(1)}${argument(0)}33${event('Approval(address,address,address,uint160,uint48)')}60406060a400`,
  'allowance(address,address,address)',
  `5b${argument(0)}600052${argument(1)}602052${argument(2)}6040526060600020805460005260010154602052600060405260606000f3`,
)

test("allowances are found in the chain's logs and revoked by the calls that their standards define", async () => {
  const { ask, ui, provider, deploy } = await start()
  const coin = await deploy(
    deploying(allowing('approve(address,uint256)', 'allowance(address,address)', 'Approval(address,address,uint256)')),
  )
  const cats = await deploy(
    deploying(
      allowing(
        'setApprovalForAll(address,bool)',
        'isApprovedForAll(address,address)',
        'ApprovalForAll(address,address,bool)',
      ),
    ),
  )
  await provider.send('anvil_setCode', [PERMIT2, `0x${permit2}`])
  const call = (text: string, ...values: unknown[]) =>
    new Interface([`function ${text}`]).encodeFunctionData(text.slice(0, text.indexOf('(')), values)
  const end = 4_000_000_000
  for (const [to, data] of [
    [coin, call('approve(address spender, uint256 value)', SECOND, 1n)],
    [coin, call('approve(address spender, uint256 value)', SECOND, 2n ** 256n - 1n)],
    [cats, call('setApprovalForAll(address operator, bool approved)', SECOND, true)],
    [PERMIT2, call('approve(address token, address spender, uint160 value, uint48 end)', coin, SECOND, 250n, end)],
  ]) {
    await ask('eth_sendTransaction', { from: ADDRESS, to, data })
  }
  const find = async () => (await ui.findAllowances(OWN)).allowances
  const found = await find()
  expect(found).toMatchObject([
    { kind: 'permit2', token: { address: coin }, spender: SECOND, amount: '250', until: end * 1000 },
    { kind: 'collection', token: { address: cats }, spender: SECOND, amount: null, until: null },
    { kind: 'erc20', token: { address: coin }, spender: SECOND, amount: null, until: null },
  ])
  const block = await provider.getBlock(Number(found[2]?.block))
  expect(found[2]?.since).toBe(Number(block?.timestamp) * 1000)
  for (const { kind, token, spender, item } of found) {
    const revocation = { from: ADDRESS, ...CHAIN, kind, token: token.address, spender, item }
    const { effect, findings } = await ui.reviewRevocation(revocation)
    expect([effect.simulation?.failure, findings]).toEqual([null, []])
    const hash = await ui.revokeAllowance({ ...revocation, id: `revoke ${kind}` })
    expect((await provider.getTransactionReceipt(hash))?.status).toBe(1)
  }
  expect(await find()).toEqual([])
})
