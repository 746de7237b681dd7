import { verifyTypedData } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, ADDRESS_LOWER, connectedWallet } from '../wallet.fixture.ts'

const domain = { name: 'Lighthouse', chainId: 31337 }
const types = { Mail: [{ name: 'lines', type: 'string[]' }] }
const message = { lines: ['one', 'two'] }
const EIP712Domain = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
]
const data = { types: { ...types, EIP712Domain }, primaryType: 'Mail', domain, message }

test('signs as signTypedData, with the account first, including arrays', async () => {
  const { ask } = await connectedWallet()
  for (const given of [data, JSON.stringify(data)]) {
    const signature = String(await ask('eth_signTypedData_v4', ADDRESS_LOWER, given))
    expect(verifyTypedData(domain, types, message, signature)).toBe(ADDRESS)
    expect(await ask('eth_signTypedData', ADDRESS, given)).toBe(signature)
  }
})

test('rejects a version 1 list in either order', async () => {
  const { ask, shown } = await connectedWallet()
  const list = [{ type: 'string', name: 'a', value: 'b' }]
  for (const params of [
    [list, ADDRESS],
    [ADDRESS, list],
  ])
    await expect(ask('eth_signTypedData_v4', ...params)).rejects.toMatchObject({ code: -32602 })
  expect(shown).toEqual([])
})

test("typed data with JavaScript's special property names is rejected", async () => {
  const { ask, shown } = await connectedWallet()
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const json = JSON.stringify(data).replaceAll('"lines"', JSON.stringify(name))
    await expect(ask('eth_signTypedData_v4', ADDRESS, json)).rejects.toMatchObject({ code: -32602 })
  }
  expect(shown).toEqual([])
})
