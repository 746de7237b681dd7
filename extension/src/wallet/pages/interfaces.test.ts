import { parseFunction } from '@heliograph/shared/evm/abi'
import { expect, test } from 'vitest'
import type { RequestView } from '../../messages.ts'
import { ADDRESS, approve, connectedWallet, createdWallet, reject, startNode } from '../wallet.fixture.ts'

const VAULT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const ABI = JSON.stringify([
  { type: 'function', name: 'stake', inputs: [{ name: 'pounds', type: 'uint256' }] },
  { type: 'function', name: 'execute', inputs: [{ name: 'call', type: 'bytes' }] },
  {
    type: 'function',
    name: 'approve',
    inputs: [
      { name: 'harmless', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
])
const place = { chainId: 31337, address: VAULT.toLowerCase() }
const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const stake = `${parseFunction('stake(uint256 x)').selector}${word(7)}`

test('an interface can be added, listed and removed', async () => {
  const { ui } = (await createdWallet()).wallet
  const added = await ui.addInterface({ name: ' Vault ', place, abi: ABI })
  expect(added).toEqual({
    id: expect.stringMatching(/^0x[\da-f]{16}$/),
    name: 'Vault',
    place: { chainId: 31337, address: VAULT },
    functions: ['stake(uint256 pounds)', 'execute(bytes call)', 'approve(address harmless, uint256 amount)'],
  })
  expect(await ui.getInterfaces(null)).toEqual([added])
  await ui.removeInterface({ id: added.id })
  expect(await ui.getInterfaces(null)).toEqual([])
})

test('unreadable functions are left out, which is reported once', async () => {
  const { ui } = (await createdWallet()).wallet
  const abi = JSON.stringify([...JSON.parse(ABI), { type: 'function', name: 'odd', inputs: [{ type: 'Set storage' }] }])
  const { leftOut, ...added } = await ui.addInterface({ name: 'Vault', place, abi })
  expect(leftOut).toEqual({
    count: 1,
    first: { reason: 'notType', values: { place: 'abi[3].inputs[0].type', value: '"Set storage"' } },
  })
  expect(added.functions).toHaveLength(3)
  expect(await ui.getInterfaces(null)).toEqual([added])
})

test("an invalid interface is rejected with the field's name, and nothing is stored", async () => {
  const { ui } = (await createdWallet()).wallet
  const refused = async (change: object, message: string) =>
    expect(ui.addInterface({ name: 'Vault', place, abi: ABI, ...change })).rejects.toThrow(message)
  await refused({ name: '' }, 'The name must have 1 to 50 visible characters.')
  await refused({ name: 'Va\u202eult' }, 'The name must have 1 to 50 visible characters.')
  await refused({ place: { ...place, address: '0x12' } }, 'address: "0x12"')
  await refused({ place: { ...place, chainId: 7 } }, '7')
  await refused({ abi: '{}' }, 'abi: a value of type object is not an ABI, or a file with one in "abi"')
  expect(await ui.getInterfaces(null)).toEqual([])
})

test('a locked wallet does not list or change interfaces', async () => {
  const { ui } = (await createdWallet()).wallet
  const { id } = await ui.addInterface({ name: 'Vault', place, abi: ABI })
  await ui.lock(null)
  for (const doing of [
    () => ui.getInterfaces(null),
    () => ui.addInterface({ name: 'Other', place: null, abi: ABI }),
    () => ui.removeInterface({ id }),
  ])
    await expect(doing()).rejects.toMatchObject({ code: 4100 })
})

/** Creates a wallet with the interface. Its user rejects all transactions, so the contract stays unused. */
const readingWallet = async () => {
  const asked: RequestView[] = []
  const person = (request: RequestView) => {
    asked.push(request)
    return request.effect.kind === 'transaction' ? reject(request) : approve(request)
  }
  const { ask, wallet } = await connectedWallet({ ...startNode(), person })
  const { id } = await wallet.ui.addInterface({ name: 'Vault', place, abi: ABI })
  const read = async (data: string) => {
    await expect(ask('eth_sendTransaction', { from: ADDRESS, to: VAULT, data })).rejects.toMatchObject({ code: 4001 })
    const { effect, findings } = asked.at(-1) as RequestView
    const names = findings.map(({ level, name, values }) => `${level} ${name} ${values[0] ?? ''}`.trim())
    return { call: effect.kind === 'transaction' ? effect.call : null, names }
  }
  return { read, removeInterface: () => wallet.ui.removeInterface({ id }) }
}

test("it decodes calls to its contract, even in past activity, except functions in the wallet's table", async () => {
  const { chain } = startNode({ eth_getTransactionReceipt: () => null })
  const { ask, wallet } = await connectedWallet({ chain })
  await ask('eth_sendTransaction', { from: ADDRESS, to: VAULT, data: stake })
  expect((await wallet.ui.getState(null)).activity[0]?.call).toBeNull()
  await wallet.ui.addInterface({ name: 'Vault', place, abi: ABI })
  expect((await wallet.ui.getState(null)).activity[0]?.call).toMatchObject({ name: 'stake', by: 'Vault' })

  const [one, other] = [await readingWallet(), await readingWallet()]
  expect(await one.read(stake)).toMatchObject({
    call: { name: 'stake', by: 'Vault', args: [{ name: 'pounds', value: '7' }] },
    names: ['none ownInterface Vault'],
  })
  const inner = `${parseFunction('execute(bytes x)').selector}${word(32)}${word(4)}${'a9059cbb'.padEnd(64, '0')}`
  expect((await one.read(inner)).names).toEqual([`caution unknownCall ${VAULT}`])
  await one.removeInterface()
  expect((await one.read(stake)).names).toEqual([`caution unknownCall ${VAULT}`])
  const unlimited = `0x095ea7b3${word(BigInt(VAULT))}${word(2n ** 256n - 1n)}`
  const own = await other.read(unlimited)
  expect(own.call).toMatchObject({ args: [{ name: 'spender' }, { name: 'value' }] })
  expect(own.names).toContain(`danger unlimitedAllowance ${VAULT}`)
})
