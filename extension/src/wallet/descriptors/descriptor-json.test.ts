import { expect, test } from 'vitest'
import { MAX_DESCRIPTOR_SIZE, MAX_DESCRIPTORS, MAX_DESCRIPTORS_SIZE, MAX_TEXT } from './descriptor.ts'
import { parseDescriptors } from './descriptor-json.ts'
import { approveDescriptor, PERMIT, permitDescriptor, SWAP, swapDescriptor, TOKEN } from './descriptors.fixture.ts'

const parse = (value: unknown) => parseDescriptors(JSON.stringify(value))
const one = (value: unknown) => parse(value)[0]
const [APPROVE] = Object.keys(approveDescriptor.display.formats)
const format = { intent: 'Stake', fields: [] }
const withContext = (context: unknown) => ({ ...approveDescriptor, context })
const withFormats = (formats: unknown) => ({ ...approveDescriptor, display: { formats } })

test('a descriptor, or a list, is read with its contracts, functions and types', () => {
  expect(parse(approveDescriptor)).toHaveLength(1)
  const [approve, swap, permit] = parse([approveDescriptor, swapDescriptor, permitDescriptor])
  expect(approve).toMatchObject({
    kind: 'calls',
    owner: 'Coin Maker',
    deployments: [{ chainId: 31337, address: TOKEN }],
    formats: [
      { text: APPROVE, selector: '0x095ea7b3', intent: 'Approve', fields: [{ label: 'Spender' }, { label: 'Amount' }] },
    ],
  })
  expect(swap).toMatchObject({
    formats: [{ text: SWAP, intent: 'action: Swap, kind: tokens' }],
    enums: { mode: { 0: 'Exact input' } },
  })
  expect(permit).toMatchObject({
    kind: 'typedData',
    domain: { name: 'Coin', version: '2' },
    formats: [{ type: PERMIT }],
  })
})

test('the contract of typed data can be named by the domain alone', () => {
  const domain = { name: 'Coin', chainId: 5, verifyingContract: TOKEN.toLowerCase(), salt: null }
  expect(one({ ...permitDescriptor, context: { eip712: { domain } } })).toMatchObject({
    deployments: [{ chainId: 5, address: TOKEN }],
    domain: { name: 'Coin', chainId: '5' },
  })
})

test('functions without parameter names are read with the ABI in the descriptor', () => {
  const abi = [{ type: 'function', name: 'stake', inputs: [{ name: 'pounds', type: 'uint256' }] }]
  const contract = { ...approveDescriptor.context.contract, abi }
  for (const key of ['stake(uint256)', '0xa694fc3a'])
    expect(one({ ...withFormats({ [key]: format }), context: { contract } })).toMatchObject({
      formats: [{ text: 'stake(uint256 pounds)', selector: '0xa694fc3a' }],
    })
})

test('null is absent, unknown members are ignored, and odd optional parts are left out', () => {
  const odd = {
    ...approveDescriptor,
    includes: null,
    extra: [{ deep: {} }],
    metadata: { owner: 7, enums: { a: null, b: { 1: 'One', 2: {} } } },
    context: {
      eip712: null,
      contract: {
        abi: 'https://abi.example/',
        deployments: [
          null,
          { chainId: 0, address: TOKEN },
          { chainId: 1, address: '0x12' },
          { chainId: 1, address: TOKEN },
        ],
      },
    },
    display: {
      definitions: null,
      formats: {
        'stake(uint256 amount)': {
          intent: null,
          fields: [
            null,
            7,
            { label: 'No value' },
            { path: '#..', label: 'x' },
            { path: 'amount', label: null, format: {}, params: null },
          ],
        },
        'leave()': null,
        'broken(': { intent: 'Broken' },
      },
    },
  }
  expect(one(odd)).toMatchObject({
    owner: null,
    deployments: [{ chainId: 1, address: TOKEN }],
    enums: { b: { 1: 'One' } },
    formats: [
      {
        intent: null,
        fields: [{ label: '', value: { path: { root: '#', steps: ['amount'] } }, format: { as: 'raw' } }],
      },
    ],
  })
})

test('texts are cut, without splitting a surrogate pair', () => {
  const long = '🜁'.repeat(MAX_TEXT + 1)
  const cut = `${'🜁'.repeat(MAX_TEXT)}…`
  const fields = [{ path: 'spender', label: long, format: 'raw' }]
  const given = {
    ...approveDescriptor,
    metadata: { owner: long },
    display: { formats: { [APPROVE as string]: { intent: long, fields } } },
  }
  expect(one(given)).toMatchObject({ owner: cut, formats: [{ intent: cut, fields: [{ label: cut }] }] })
})

test('inherited members are not constants, enums or definitions', () => {
  const fields = [
    { value: '$.constructor.name', label: 'Constant', format: 'raw' },
    { path: 'spender', $ref: '$.display.definitions.constructor', label: 'Reference', format: 'raw' },
  ]
  const given = `{"__proto__":{"owner":"x"},${JSON.stringify(withFormats({ [APPROVE as string]: { fields } })).slice(1)}`
  expect(parseDescriptors(given)[0]).toMatchObject({ formats: [{ fields: [{ label: 'Reference' }] }] })
})

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const padded = { ...approveDescriptor, extra: 'x'.repeat(MAX_DESCRIPTOR_SIZE) }
/** Creates a descriptor with a definition that is used in many fields. */
const amplified = () => {
  const definition = { label: 'x'.repeat(MAX_TEXT), format: 'raw' }
  const field = { path: 'spender', $ref: '$.display.definitions.a' }
  const formats = Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [`f${at}(address spender)`, { fields: Array(30).fill(field) }]),
  )
  return { ...approveDescriptor, display: { definitions: { a: definition }, formats } }
}

const nested = [`f(${'('.repeat(17)}uint8 a${') a'.repeat(17)})`, `f(uint8${'[1]'.repeat(9)} a)`]

const refused: [text: string, error: string][] = [
  ...nested.map((key): [string, string] => [
    JSON.stringify(withFormats({ [key]: format })),
    'descriptor.display.formats: no explanation has a format',
  ]),
  ['', 'descriptors: "" is not JSON'],
  ['{"context":', 'descriptors: "{\\"context\\":" is not JSON'],
  ['x'.repeat(MAX_DESCRIPTORS_SIZE + 1), `descriptors: longer than ${MAX_DESCRIPTORS_SIZE} bytes`],
  ['[]', 'descriptors: an array of 0 is not valid here in an ERC-7730 descriptor'],
  [JSON.stringify(Array(MAX_DESCRIPTORS + 1).fill({})), `descriptors: more than ${MAX_DESCRIPTORS} descriptors`],
  ['7', 'descriptor: 7 is not valid here in an ERC-7730 descriptor'],
  ['null', 'descriptor: null is not valid here in an ERC-7730 descriptor'],
  [`[${deep(100)}]`, 'descriptors[0]: an array of 1 is nested deeper than 64'],
  [JSON.stringify({ a: deep(3), ...withContext(undefined) }), 'descriptor.context: undefined is not valid here'],
  [JSON.stringify(withContext({})), 'descriptor.context: a value of type object is not valid here'],
  [JSON.stringify(withContext({ contract: 'x' })), 'descriptor.context.contract: "x" is not valid here'],
  [JSON.stringify(withContext({ contract: { deployments: 'x' } })), 'descriptor.context: no contract is named'],
  [
    JSON.stringify(withContext({ contract: { deployments: [{ chainId: 1, address: '0x1' }] } })),
    'descriptor.context: no contract is named',
  ],
  [
    JSON.stringify([approveDescriptor, withContext({ eip712: { domain: { name: 'Coin' } } })]),
    'descriptors[1].context: no contract is named',
  ],
  [JSON.stringify(withFormats(undefined)), 'descriptor.display.formats: undefined is not valid here'],
  [
    JSON.stringify(withFormats({ 'approve(address,uint256)': format })),
    'descriptor.display.formats: no explanation has a format',
  ],
  [
    JSON.stringify(withFormats({ [`f${'x'.repeat(5000)}()`]: format })),
    'descriptor.display.formats: no explanation has a format',
  ],
  [
    JSON.stringify(withFormats({ [APPROVE as string]: { intent: '', fields: [] } })),
    'descriptor.display.formats: no explanation has a format',
  ],
  [
    JSON.stringify({ ...approveDescriptor, includes: './common.json' }),
    'descriptor.includes: the descriptor needs another file, "./common.json".',
  ],
  [JSON.stringify([approveDescriptor, padded]), `descriptors[1]: longer than ${MAX_DESCRIPTOR_SIZE} bytes`],
  [JSON.stringify(amplified()), `descriptor: longer than ${MAX_DESCRIPTOR_SIZE} bytes`],
]

test.each(refused.map(([text, error]) => ({ text, error })))('$error', ({ text, error }) => {
  expect(() => parseDescriptors(text)).toThrow(error)
})

test('functions with nested tuples and arrays are read', () => {
  for (const key of [`f(${'('.repeat(16)}uint8 a${') a'.repeat(16)})`, `f(uint8${'[1]'.repeat(8)} a)`])
    expect(one(withFormats({ [key]: format }))).toMatchObject({ formats: [{ text: key }] })
})
