import { expect, test } from 'vitest'
import { parseFunction } from './abi.ts'

test('signature and selector of a function', () => {
  const { name, signature, selector } = parseFunction('f((int8 a, bytes b)[] list, ((bool c) d, string e) pair)')
  expect({ name, signature, selector }).toEqual({
    name: 'f',
    signature: 'f((int8,bytes)[],((bool),string))',
    selector: '0x1a4d3116',
  })
})

test.each([
  ['f', 'abi: "f" is not a function: name(type name, …)'],
  ['f(uint256)', 'abi: "uint256" is not a type and a name'],
  ['f(uint x)', 'abi: "uint" is not a type'],
  ['f(uint7 x)', 'abi: "uint7" is not a type'],
  ['f(bytes33 x)', 'abi: "bytes33" is not a type'],
  ['f(uint8[0] x)', 'abi: "uint8[0]" is not a type'],
  ['f(uint8[1000000000] x)', 'abi: "uint8[1000000000]" is not a type'],
  ['f(() x)', 'abi: "()" is not a type'],
])('%s is not a function that can be decoded', (line, error) => {
  expect(() => parseFunction(line)).toThrow(expect.objectContaining({ message: error }))
})
