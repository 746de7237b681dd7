import { expect, test } from 'vitest'
import { isChainRequired, kindOf, kindsOf, mayAsk, switchKind, switchOne } from './permissions.ts'

const NOTHING = { chains: [], methods: [], events: [] }
const OFFERED = ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_switchEthereumChain']

test.each([
  ['personal_sign', 'sign'],
  ['eth_sign', 'sign'],
  ['eth_signTypedData', 'sign'],
  ['eth_signTypedData_v3', 'sign'],
  ['eth_signTypedData_v4', 'sign'],
  ['eth_signTransaction', 'send'],
  ['eth_sendTransaction', 'send'],
  ['klay_sendTransaction', 'send'],
  ['eth_sendRawTransaction', 'send'],
  ['wallet_sendCalls', 'send'],
  ['wallet_getCallsStatus', 'other'],
  ['wallet_watchAsset', 'other'],
  ['eth_accounts', 'other'],
])('%s is of the kind %s', (method, kind) => {
  expect(kindOf(method)).toBe(kind)
})

test('only offered kinds can be switched; required ones are marked', () => {
  expect(kindsOf(OFFERED, ['personal_sign'], { ...NOTHING, methods: ['personal_sign'] })).toEqual([
    { kind: 'sign', isGiven: true, isRequired: true },
    { kind: 'send', isGiven: false, isRequired: false },
  ])
  expect(kindsOf(['eth_accounts'], [], NOTHING)).toEqual([])
})

test('a kind is switched as a whole and keeps the offered order', () => {
  expect(switchKind(OFFERED, OFFERED, 'sign', false)).toEqual(['eth_sendTransaction', 'wallet_switchEthereumChain'])
  expect(switchKind(OFFERED, ['wallet_switchEthereumChain'], 'sign', true)).toEqual([
    'personal_sign',
    'eth_signTypedData_v4',
    'wallet_switchEthereumChain',
  ])
})

test('switchOne adds or removes one element', () => {
  expect(switchOne([1, 2, 3], [3], 1, true)).toEqual([1, 3])
  expect(switchOne([1, 2, 3], [1, 3], 3, false)).toEqual([1])
})

test('required networks are matched by their CAIP-2 id', () => {
  expect(isChainRequired({ ...NOTHING, chains: ['eip155:1'] }, 1)).toBe(true)
  expect(isChainRequired({ ...NOTHING, chains: ['eip155:1'] }, 11)).toBe(false)
})

test('mayAsk summarises the granted methods', () => {
  expect(mayAsk(OFFERED)).toBe('Sign messages, send transactions')
  expect(mayAsk(['eth_accounts'])).toBe('Read only')
})
