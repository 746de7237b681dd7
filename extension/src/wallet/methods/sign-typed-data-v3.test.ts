import { verifyTypedData } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, ADDRESS_LOWER, connectedWallet, SECOND } from '../wallet.fixture.ts'

const domain = { name: 'Lighthouse', chainId: 31337 }
const types = {
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallet', type: 'address' },
  ],
  Mail: [
    { name: 'to', type: 'Person' },
    { name: 'contents', type: 'string' },
  ],
}
const message = { to: { name: 'Bob', wallet: SECOND }, contents: 'Hello' }
const EIP712Domain = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
]
const data = { types: { ...types, EIP712Domain }, primaryType: 'Mail', domain, message }

test('data without arrays is signed as in EIP-712, from an object and from JSON', async () => {
  const { ask } = await connectedWallet()
  for (const method of ['eth_signTypedData_v3', 'chain_signTypedData_v3'])
    for (const given of [data, JSON.stringify(data)])
      expect(verifyTypedData(domain, types, message, String(await ask(method, ADDRESS_LOWER, given)))).toBe(ADDRESS)
})

test('types that version 3 does not support are rejected before the user is asked', async () => {
  const { ask, shown } = await connectedWallet()
  const withArray = {
    ...data,
    types: { EIP712Domain, Mail: [{ name: 'lines', type: 'string[]' }] },
    message: { lines: ['a'] },
  }
  const withAbsent = {
    ...data,
    types: {
      EIP712Domain,
      Mail: [{ name: 'next', type: 'Mail' }],
    },
    message: {},
  }
  for (const wrong of [withArray, withAbsent])
    await expect(ask('eth_signTypedData_v3', ADDRESS, wrong)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('version 3'),
    })
  expect(shown).toEqual([])
})

test('an undeclared field is not signed', async () => {
  const { ask } = await connectedWallet()
  const more = { ...data, message: { ...message, more: 1 } }
  expect(await ask('eth_signTypedData_v3', ADDRESS, more)).toBe(await ask('eth_signTypedData_v3', ADDRESS, data))
})

test("version 1 data, another chain's data and an unknown account are rejected", async () => {
  const { ask, shown } = await connectedWallet()
  const list = [{ type: 'string', name: 'a', value: 'b' }]
  await expect(ask('eth_signTypedData_v3', list, ADDRESS)).rejects.toMatchObject({ code: -32602 })
  const elsewhere = { ...data, domain: { ...domain, chainId: 1 } }
  await expect(ask('eth_signTypedData_v3', ADDRESS, elsewhere)).rejects.toMatchObject({ code: -32602 })
  await expect(ask('eth_signTypedData_v3', SECOND, data)).rejects.toMatchObject({ code: 4100 })
  expect(shown).toEqual([])
})
