import { parseFunction } from '@heliograph/shared/evm/abi'
import { expect, test } from 'vitest'
import { functionsOfAbi, MAX_ENTRIES, MAX_FUNCTIONS, readAbi } from './abi-file.ts'

const param = (type: string, name = 'x', more = {}) => ({ name, type, internalType: type, ...more })
const called = (name: string, ...inputs: object[]) => ({ type: 'function', name, inputs, stateMutability: 'payable' })
const read = (...entries: unknown[]) => functionsOfAbi(JSON.stringify(entries))
const inside = (depth: number): object =>
  depth === 0 ? param('uint8') : param('tuple', 'x', { components: [inside(depth - 1)] })

test('reads functions with names, tuples and arrays, and ignores other entries', () => {
  const pair = param('tuple[2][]', 'pairs', { components: [param('address', 'token'), param('uint256', '')] })
  const functions = read(
    { type: 'constructor', inputs: [param('address')] },
    { type: 'event', name: 'Staked', inputs: [] },
    { type: 'receive' },
    called('stake', param('uint256', 'amount'), pair),
    called('leave$'),
    { name: 'old', inputs: [param('bool', 'all')] },
  )
  expect(functions.map(({ text }) => text)).toEqual([
    'stake(uint256 amount, (address token, uint256 arg1)[2][] pairs)',
    'leave$()',
    'old(bool all)',
  ])
  expect(functions[0]).toMatchObject({
    signature: 'stake(uint256,(address,uint256)[2][])',
    selector: parseFunction('stake(uint256 a, (address b, uint256 c)[2][] d)').selector,
  })
})

test("reads a compiler's output, and a repeated function once", () => {
  const abi = [called('stake', param('uint256')), called('stake', param('uint256', 'amount'))]
  expect(functionsOfAbi(JSON.stringify({ abi, bytecode: '0x' }))).toHaveLength(1)
})

test.each([
  ['{', 'abi: "{" is not JSON'],
  ['7', 'abi: 7 is not an ABI, or a file with one in "abi"'],
  ['{"contracts":[]}', 'abi: a value of type object is not an ABI, or a file with one in "abi"'],
  ['[]', 'abi: an array of 0 has no function'],
  ['[{"type":"event","name":"E"}]', 'abi: an array of 1 has no function'],
  ['[{"type":"function","name":"a b"}]', 'abi[0].name: "a b" is not a name'],
  ['[{"type":"function"}]', 'abi[0].name: undefined is not a name'],
  ['[{"type":"function","name":"f","inputs":{}}]', 'abi[0].inputs: a value of type object is not a list'],
  ['[{"type":"function","name":"f","inputs":["uint8"]}]', 'abi[0].inputs[0]: "uint8" is not a parameter'],
  [
    '[{"type":"function","name":"f","inputs":[{"type":"Set storage"}]}]',
    'abi[0].inputs[0].type: "Set storage" is not a type',
  ],
  [
    '[{"type":"function","name":"f","inputs":[{"type":"bool x) , f("}]}]',
    'abi[0].inputs[0].type: "bool x) , f(" is not a type',
  ],
  [
    '[{"type":"function","name":"f","inputs":[{"type":"tuple","components":[]}]}]',
    'abi[0].inputs[0].components: an array of 0 is empty',
  ],
  ['[{"type":"function","name":"f","inputs":[{"type":"bool[0]"}]}]', 'abi: "bool[0]" is not a type'],
])('%s is rejected', (json, error) => {
  expect(() => functionsOfAbi(json)).toThrow(expect.objectContaining({ message: error }))
})

test('input over the limits of depth or count is rejected', () => {
  expect(() => read(called('f', inside(1_000)))).toThrow('is nested deeper than 16 levels')
  expect(() => read(called('f', param(`bool${'[]'.repeat(1_000)}`)))).toThrow('is nested deeper than 16 levels')
  expect(read(called('f', inside(14)))).toHaveLength(1)
  const many = Array.from({ length: MAX_FUNCTIONS + 1 }, (_, at) => called(`f${at}`))
  expect(() => read(...many)).toThrow(`has more than ${MAX_FUNCTIONS} functions`)
  expect(() => read(...Array(MAX_ENTRIES + 1).fill(7))).toThrow(`has more than ${MAX_ENTRIES} functions`)
})

test("unreadable functions are left out, and their number and the first one's error returned", () => {
  const odd = called('odd', param('Set storage'))
  const { functions, leftOut } = readAbi(
    JSON.stringify([odd, called('stake'), 7, null, called('a b'), { type: 'event' }]),
  )
  expect(functions.map(({ text }) => text)).toEqual(['stake()'])
  expect(leftOut).toMatchObject({
    count: 3,
    first: { reason: 'notType', values: { place: 'abi[0].inputs[0].type', value: '"Set storage"' } },
  })
  expect(readAbi(JSON.stringify([called('stake')]))).not.toHaveProperty('leftOut')
})

test('short type names are expanded, and invalid parameter names are replaced', () => {
  const tuple = param('tuple[]', 'a, bool b', { components: [param('int[2]', 'low'), param('byte', 'é')] })
  expect(read(called('f', param('uint', ' '), tuple))[0]).toMatchObject({
    text: 'f(uint256 arg0, (int256[2] low, bytes1 arg1)[] arg1)',
    signature: 'f(uint256,(int256[2],bytes1)[])',
  })
})
