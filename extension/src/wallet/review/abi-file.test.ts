import { cpuTimeOf } from '@heliograph/shared/cpu-time.fixture'
import { parseFunction } from '@heliograph/shared/evm/abi'
import { FunctionFragment } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { functionsOfAbi, MAX_ABI_SIZE, readAbi } from './abi-file.ts'

const D = { type: 'function', name: 'deposit', inputs: [{ name: 'amount', type: 'uint256' }], outputs: [] }
const withParameter = (change: object) => ({ ...D, inputs: [{ ...D.inputs[0], ...change }] })
const odd = (type: string) => ({ ...D, name: 'odd', inputs: [{ name: 'x', type }] })
const json = JSON.stringify
const contract = { abi: [D], evm: { bytecode: { object: '6060' } } }
const solidity = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
interface IVault {
  event Deposit(address indexed from, uint256 amount);
  error Full(uint256 limit);
  /// @notice Deposits.
  function deposit(
    uint256 amount // in wei
  ) external payable returns (uint256);
}`

test.each([
  ['[D, … Set storage]', json([D, odd('Set storage')])],
  ['[D, … function as the type of a parameter]', json([D, odd('function')])],
  ["D with null as the parameter's name", json([withParameter({ name: null })])],
  ['D with the type uint', json([withParameter({ type: 'uint' })])],
  ['a byte order mark before [D]', `\ufeff${json([D])}`],
  ['an artifact of 400 kB', json({ abi: [D], bytecode: `0x${'60'.repeat(190_000)}`, source: 'x'.repeat(20_000) })],
  ['a response from Etherscan', json({ status: '1', message: 'OK', result: json([D]) })],
  ['["function deposit(uint256 amount)"]', json(['function deposit(uint256 amount)'])],
  ['an artifact of 8 MB', json({ abi: [D], bytecode: `0x${'60'.repeat(4_100_000 - 500)}` })],
  ['D without a list', json(D)],
  ['null instead of the type, the outputs and the components', json([{ ...D, type: null, outputs: null }])],
  ['null among the entries', json([null, D])],
  ['[D] as JSON in JSON', json(json([D]))],
  ['[D] with zero-width characters and a line break', `\u200b${json([D])}\u200b\n`],
  ['an ABI as text in an artifact', json({ abi: json([D]), bin: '0x' })],
  ['null instead of the ABI, and an output', json({ abi: null, output: { abi: [D], devdoc: {} } })],
  ["a compiler's metadata", json({ compiler: { version: '0.8.0' }, output: { abi: [D] }, settings: {}, version: 1 })],
  [
    "a compiler's standard output",
    json({ contracts: { 'a.sol': { Vault: contract, Empty: { abi: [] } } }, sources: {} }),
  ],
  ["a compiler's combined output", json({ contracts: { 'a.sol:Vault': { abi: json([D]) } }, version: '0.4.26' })],
  ['a build info of Hardhat', json({ id: 'a', input: {}, output: { contracts: { 'a.sol': { Vault: contract } } } })],
  ['a deployment', json({ address: '0x12', abi: [D], args: [], receipt: { type: 2 } })],
  [
    "a network's deployments",
    json({ name: 'mainnet', chainId: '1', contracts: { Vault: { address: '0x12', abi: [D] } } }),
  ],
  ["Etherscan's source codes", json({ status: '1', result: [{ SourceCode: 'contract …', ABI: json([D]) }] })],
  ['human-readable lines', 'event Deposit(address from)\nfunction deposit(uint256 amount) payable returns (uint256)'],
  ['lines without the word function', 'deposit(uint256)\r\n\r\nevent Deposit(address)'],
  ['lines that end in semicolons', 'constructor(); deposit(uint256 amount);'],
  ['human-readable entries of JavaScript', "export const abi = [\n  'function deposit(uint amount)',\n] as const"],
  ['an interface in Solidity', solidity],
])('%s: deposit(uint256) is found', (_, text) => {
  expect(functionsOfAbi(text).map(({ signature }) => signature)).toContain('deposit(uint256)')
})

test.each([
  ['nothing', ''],
  ['an error from Etherscan', json({ status: '0', message: 'NOTOK', result: 'Contract source code not verified' })],
  ['the artifact of an interface without functions', json({ abi: [] })],
  ['a web page', '<html><body>Not found</body></html>'],
  ['a function type alone', json([odd('function')])],
  ['a list of texts', json(['hello', 'world'])],
  ['an unclosed function', 'function deposit(uint256 amount'],
  ['truncated JSON', json([D]).slice(0, -3)],
])('%s: refused, because no function can be read', (_, text) => {
  expect(() => readAbi(text)).toThrow(expect.objectContaining({ name: 'ValueError' }))
})

test('a file that is too long is refused before it is parsed', () => {
  expect(() => readAbi(' '.repeat(MAX_ABI_SIZE + 1))).toThrow(`is longer than ${MAX_ABI_SIZE} characters`)
})

const name = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,8}$/)
const atom = fc.constantFrom('uint256', 'uint', 'int8', 'address', 'bool', 'bytes', 'bytes32', 'string')
const lengths = fc.constantFrom('', '[]', '[3]', '[2][]')
const { parameter } = fc.letrec<{ parameter: string }>(tie => ({
  parameter: fc
    .tuple(
      fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.array(tie('parameter'), { minLength: 1, maxLength: 3 }).map(fields => `tuple(${fields.join(', ')})`),
      ),
      lengths,
      fc.constantFrom('', ' memory', ' calldata'),
      fc.option(name, { nil: '' }),
    )
    .map(([type, brackets, location, named]) =>
      `${type}${brackets}${type.startsWith('tuple') || /bytes$|string|\]$/.test(`${type}${brackets}`) ? location : ''} ${named}`.trim(),
    ),
}))

test('human-readable functions have the selectors that ethers computes', () => {
  fc.assert(
    fc.property(name, fc.array(parameter, { maxLength: 4 }), fc.boolean(), (called, parameters, isBare) => {
      const line = `${called}(${parameters.join(', ')})`
      const expected = FunctionFragment.from(`function ${line}`)
      const [read] = functionsOfAbi(json([isBare ? line : `function ${line} external view returns (uint256)`]))
      expect(read).toMatchObject({ signature: expected.format('sighash'), selector: expected.selector })
      expect(parseFunction(read?.text ?? '').selector).toBe(expected.selector)
    }),
  )
})

test('any JSON anywhere in an artifact is parsed or refused as a value', () => {
  const replaced = [
    (value: unknown) => [D, value],
    (value: unknown) => [D, { ...D, name: value }],
    (value: unknown) => [D, { ...D, inputs: value }],
    (value: unknown) => [D, { ...D, type: value }],
    (value: unknown) => [D, withParameter({ type: value })],
    (value: unknown) => [D, withParameter({ type: 'tuple', components: value })],
    (value: unknown) => ({ contracts: { a: value, b: { abi: [D] } } }),
  ]
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...replaced), (value, place) => {
      expect(functionsOfAbi(json(place(value))).map(({ signature }) => signature)).toContain('deposit(uint256)')
    }),
  )
})

test('hostile text is parsed quickly', () => {
  const texts = [
    'function a('.repeat(20_000),
    `function a(${'('.repeat(100_000)}`,
    `function a(${'(uint8 '.repeat(500)}${')'.repeat(501)}`,
    `f(${'uint8,'.repeat(60_000)})`,
    `function f(uint8${'[]'.repeat(50_000)} x)`,
    'function '.repeat(100_000),
    '['.repeat(100_000),
    json('x\n'.repeat(100_000)),
  ]
  for (const text of texts) expect(cpuTimeOf(() => expect(() => readAbi(text)).toThrow())).toBeLessThan(2_000)
})
