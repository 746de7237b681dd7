import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import { findMethod } from './index.ts'
import { personalSign, sign } from './sign-message.ts'
import { signTypedDataV4 } from './sign-typed-data.ts'
import { sendTransaction } from './transactions.ts'
import { unsupported } from './unsupported.ts'

const kaia = ['chain', 'eth', 'klay', 'kaia']

test("a node method is available under each of the network's prefixes", () => {
  for (const prefix of kaia) {
    expect(findMethod(`${prefix}_sign`, kaia)).toBe(sign)
    expect(findMethod(`${prefix}_signTypedData_v4`, kaia)).toBe(signTypedDataV4)
    expect(findMethod(`${prefix}_sendTransaction`, kaia)).toBe(sendTransaction)
  }
  expect(findMethod('klay_sign', ['chain', 'eth'])).toBeUndefined()
})

test('chain_ and eth_ are accepted on every built-in network', () => {
  for (const { prefixes } of testNetworks)
    for (const name of ['chain_sign', 'eth_signTypedData', 'eth_sendRawTransaction', 'eth_getBalance'])
      expect(findMethod(name, prefixes), name).toBeDefined()
})

test('personal_sign has no other prefix', () => {
  expect(findMethod('personal_sign', kaia)).toBe(personalSign)
  for (const name of ['sign', 'eth_personal_sign', 'personal_call'])
    expect(findMethod(name, kaia), name).toBeUndefined()
})

test("methods that use the node's keys or change its state do not exist", () => {
  for (const name of [
    'eth_signTypedData_v1',
    'admin_peers',
    'debug_traceCall',
    'anvil_setBalance',
    'evm_mine',
    'personal_unpair',
  ])
    expect(findMethod(name, kaia), name).toBeUndefined()
  for (const name of ['eth_getWork', 'eth_decrypt', 'personal_importRawKey', 'personal_sendTransaction'])
    expect(findMethod(name, kaia), name).toBe(unsupported)
})

test('names of inherited properties are not methods', () => {
  for (const name of ['constructor', '__proto__', 'eth_constructor', 'eth___proto__', 'eth_', '_sign', 'eth', ''])
    expect(findMethod(name, kaia), name).toBeUndefined()
})
