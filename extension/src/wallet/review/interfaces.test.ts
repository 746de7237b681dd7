import { parseFunction } from '@heliograph/shared/evm/abi'
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { SECOND } from '../wallet.fixture.ts'
import { functionsOfAbi } from './abi-file.ts'
import { createInterfaces, type Interface, MAX_INTERFACES, MAX_INTERFACES_SIZE } from './interfaces.ts'

const VAULT: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const functionsOf = (...names: string[]) =>
  functionsOfAbi(
    JSON.stringify(names.map(name => ({ type: 'function', name, inputs: [{ name: `of_${name}`, type: 'uint8' }] }))),
  )
const of = (name: string, place: Interface['place'], ...names: string[]) => ({
  name,
  place,
  functions: functionsOf(...names),
})
const dataOf = (name: string): Hex => `${parseFunction(`${name}(uint8 x)`).selector}${'7'.padStart(64, '0')}`
const start = () => createInterfaces(memoryStore())

test("a call is decoded with its contract's interface, or else with an interface for any contract", async () => {
  const interfaces = start()
  await interfaces.add(of('Any', null, 'stake', 'leave'))
  await interfaces.add(of('Vault', { chainId: 1, address: VAULT }, 'stake'))
  const read = await interfaces.reader(1)
  expect(read(VAULT.toLowerCase(), dataOf('stake'))).toEqual({
    by: 'Vault',
    call: {
      kind: 'call',
      name: 'stake',
      signature: 'stake(uint8)',
      args: [{ name: 'of_stake', type: 'uint8', value: '7' }],
    },
  })
  expect(read(VAULT, dataOf('leave'))).toMatchObject({ by: 'Any', call: { name: 'leave' } })
  expect(read(SECOND, dataOf('stake'))).toMatchObject({ by: 'Any' })
  expect((await interfaces.reader(5))(VAULT, dataOf('stake'))).toMatchObject({ by: 'Any' })
  expect(read(VAULT, dataOf('other'))).toBeUndefined()
  expect(read(VAULT, `${dataOf('stake')}00`)).toMatchObject({ call: { kind: 'call', name: 'stake', unusual: true } })
})

test('a removed interface decodes nothing', async () => {
  const interfaces = start()
  const { id } = await interfaces.add(of('Any', null, 'stake'))
  await interfaces.remove(id)
  expect(await interfaces.list()).toEqual([])
  expect((await interfaces.reader(1))(VAULT, dataOf('stake'))).toBeUndefined()
})

test('the same interface is stored only once per contract, whatever the case of its address', async () => {
  const interfaces = start()
  await interfaces.add(of('Vault', { chainId: 1, address: VAULT }, 'stake'))
  const again = { chainId: 1, address: VAULT.toLowerCase() as Address }
  await expect(interfaces.add(of('Again', again, 'stake'))).rejects.toMatchObject({
    code: -32602,
    reason: 'interfaceExists',
  })
  await interfaces.add(of('Elsewhere', { chainId: 5, address: VAULT }, 'stake'))
  await interfaces.add(of('Any', null, 'stake'))
  expect(await interfaces.list()).toHaveLength(3)
})

test('the number and size of interfaces are limited, and stored ones are never lost', async () => {
  const many = start()
  for (let at = 0; at < MAX_INTERFACES; at++) await many.add(of('Any', null, `f${at}`))
  await expect(many.add(of('More', null, 'more'))).rejects.toMatchObject({
    code: -32005,
    message: `You already have ${MAX_INTERFACES} contract interfaces. Remove one first.`,
  })
  expect(await many.list()).toHaveLength(MAX_INTERFACES)

  const large = start()
  const [first] = functionsOf('f')
  const long = (at: number) => ({
    name: 'Long',
    place: null,
    functions: Array(1 + at).fill({ ...first, text: 'x'.repeat(MAX_INTERFACES_SIZE / 4) }),
  })
  await large.add(long(0))
  await large.add(long(1))
  await expect(large.add(long(2))).rejects.toMatchObject({ code: -32005 })
  expect(await large.list()).toHaveLength(2)
})
