import { expect, test } from 'vitest'
import { parseFunction } from './abi.ts'
import { type Call, decodeCall } from './calldata.ts'
import { functions } from './functions.ts'
import type { Hex } from './hex.ts'

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const spender = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** A number or an address as a 32-byte word. */
const word = (value: number | bigint | string) => BigInt(value).toString(16).padStart(64, '0')
const call = (selector: string, ...words: string[]): Hex => `0x${selector}${words.join('')}`

test.each([
  ['a9059cbb', 'transfer(address,uint256)'],
  ['095ea7b3', 'approve(address,uint256)'],
  ['23b872dd', 'transferFrom(address,address,uint256)'],
  ['39509351', 'increaseAllowance(address,uint256)'],
  ['a457c2d7', 'decreaseAllowance(address,uint256)'],
  ['d73dd623', 'increaseApproval(address,uint256)'],
  ['66188463', 'decreaseApproval(address,uint256)'],
  ['d505accf', 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'],
  ['8fcbaf0c', 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'],
  ['7ac2ff7b', 'permit(address,uint256,uint256,uint8,bytes32,bytes32)'],
  ['a22cb465', 'setApprovalForAll(address,bool)'],
  ['42842e0e', 'safeTransferFrom(address,address,uint256)'],
  ['b88d4fde', 'safeTransferFrom(address,address,uint256,bytes)'],
  ['f242432a', 'safeTransferFrom(address,address,uint256,uint256,bytes)'],
  ['2eb2c2d6', 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)'],
  ['87517c45', 'approve(address,address,uint160,uint48)'],
  ['2b67b570', 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)'],
  ['2a2d80d1', 'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)'],
  ['36c78516', 'transferFrom(address,address,uint160,address)'],
  ['0d58b1db', 'transferFrom((address,address,uint160,address)[])'],
  ['d0e30db0', 'deposit()'],
  ['2e1a7d4d', 'withdraw(uint256)'],
  ['ac9650d8', 'multicall(bytes[])'],
  ['5ae401dc', 'multicall(uint256,bytes[])'],
  ['1f0464d1', 'multicall(bytes32,bytes[])'],
  ['d2423b51', 'batch(bytes[],bool)'],
  ['252dba42', 'aggregate((address,bytes)[])'],
  ['bce38bd7', 'tryAggregate(bool,(address,bytes)[])'],
  ['c3077fa9', 'blockAndAggregate((address,bytes)[])'],
  ['399542e9', 'tryBlockAndAggregate(bool,(address,bytes)[])'],
  ['82ad56cb', 'aggregate3((address,bool,bytes)[])'],
  ['174dea71', 'aggregate3Value((address,bool,uint256,bytes)[])'],
  ['6a761202', 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'],
  ['468721a7', 'execTransactionFromModule(address,uint256,bytes,uint8)'],
  ['5229073f', 'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)'],
  ['8d80ff0a', 'multiSend(bytes)'],
  ['b61d27f6', 'execute(address,uint256,bytes)'],
  ['18dfb3c7', 'executeBatch(address[],bytes[])'],
  ['47e1da2a', 'executeBatch(address[],uint256[],bytes[])'],
  ['34fcd5be', 'executeBatch((address,uint256,bytes)[])'],
  ['3f707e6b', 'execute((address,uint256,bytes)[])'],
  ['44c028fe', 'execute(uint256,address,uint256,bytes)'],
  ['1cff79cd', 'execute(address,bytes)'],
  ['e9ae5c53', 'execute(bytes32,bytes)'],
  ['d691c964', 'executeFromExecutor(bytes32,bytes)'],
  [
    '1fad948c',
    'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)',
  ],
  ['765e827f', 'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)'],
  ['47153f82', 'execute((address,address,uint256,uint256,uint256,bytes),bytes)'],
  ['df905caf', 'execute((address,address,uint256,uint256,uint48,bytes,bytes))'],
  ['ccf96b4a', 'executeBatch((address,address,uint256,uint256,uint48,bytes,bytes)[],address)'],
  ['c16ae7a4', 'batch((address,address,uint256,bytes)[])'],
  ['24856bc3', 'execute(bytes,bytes[])'],
  ['3593564c', 'execute(bytes,bytes[],uint256)'],
])('decodes selector %s as %s', (selector, signature) => {
  const name = signature.slice(0, signature.indexOf('('))
  expect(decodeCall(`0x${selector}f`)).toMatchObject({ kind: 'malformed', name, signature })
})

// Selectors as block explorers show them.
test.each([
  ['cae9ca51', 'approveAndCall(address,uint256,bytes)'],
  ['4000aea0', 'transferAndCall(address,uint256,bytes)'],
  ['9bd9bbc6', 'send(address,uint256,bytes)'],
  ['e3ee160e', 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)'],
  ['30f28b7a', 'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)'],
  ['bf31196f', 'offerPunkForSaleToAddress(uint256,uint256,address)'],
  ['f2fde38b', 'transferOwnership(address)'],
  ['2f2ff15d', 'grantRole(bytes32,address)'],
  ['3659cfe6', 'upgradeTo(address)'],
  ['4f1ef286', 'upgradeToAndCall(address,bytes)'],
  ['1f931c1c', 'diamondCut((address,uint8,bytes4[])[],address,bytes)'],
  ['5b0fc9c3', 'setOwner(bytes32,address)'],
  ['0d582f13', 'addOwnerWithThreshold(address,uint256)'],
  ['e318b52b', 'swapOwner(address,address,address)'],
  ['610b5925', 'enableModule(address)'],
  ['e19a9dd9', 'setGuard(address)'],
  ['7bb37428', 'executeUserOp(address,uint256,bytes,uint8)'],
  ['9517e29f', 'installModule(uint256,address,bytes)'],
  ['110496e5', 'allow(address,bool)'],
  ['eecea000', 'setAuthorization(address,bool)'],
  ['c04a8a10', 'approveDelegation(address,uint256)'],
  ['fa6e671d', 'setRelayerApproval(address,address,bool)'],
  ['38ed1739', 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)'],
  ['7ff36ab5', 'swapExactETHForTokens(uint256,address[],address,uint256)'],
  ['414bf389', 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))'],
  ['04e45aaf', 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))'],
  ['472b43f3', 'swapExactTokensForTokens(uint256,uint256,address[],address)'],
  ['49404b7c', 'unwrapWETH9(uint256,address)'],
  ['3df02124', 'exchange(int128,int128,uint256,uint256)'],
  ['52bbbe29', 'swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)'],
  ['07ed2379', 'swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)'],
  ['1fff991f', 'execute((address,address,uint256),bytes[],bytes32)'],
  [
    'e3ead59e',
    'swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)',
  ],
  ['5b34b966', 'incrementCounter()'],
  ['617ba037', 'supply(address,uint256,address,uint16)'],
  ['69328dec', 'withdraw(address,uint256,address)'],
  ['f2b9fdb8', 'supply(address,uint256)'],
  ['6e553f65', 'deposit(uint256,address)'],
  ['a1903eab', 'submit(address)'],
  ['74694a2b', 'register(string,address,uint256,bytes32,address,bytes[],bool,uint16)'],
  ['7b939232', 'depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)'],
  ['e11013dd', 'bridgeETHTo(address,uint32,bytes)'],
  ['439370b1', 'depositEth()'],
  ['dd46508f', 'modifyLiquidities(bytes,uint256)'],
])('the table has selector %s as %s', (selector, signature) => {
  expect(functions.map(parseFunction)).toContainEqual(expect.objectContaining({ selector: `0x${selector}`, signature }))
})

test('no two functions share a selector', () => {
  const selectors = functions.map(text => parseFunction(text).selector)
  expect(new Set(selectors).size).toBe(functions.length)
})

test('a call without arguments', () => {
  expect(decodeCall('0xd0e30db0')).toEqual({ kind: 'call', name: 'deposit', signature: 'deposit()', args: [] })
})

test('an approval, in upper or lower case', () => {
  const data = call('095ea7b3', word(spender), word(2n ** 256n - 1n))
  const expected: Call = {
    kind: 'call',
    name: 'approve',
    signature: 'approve(address,uint256)',
    args: [
      { name: 'spender', type: 'address', value: spender },
      { name: 'value', type: 'uint256', value: String(2n ** 256n - 1n) },
    ],
  }
  expect(decodeCall(data)).toEqual(expected)
  expect(decodeCall(`0x${data.slice(2).toUpperCase()}`)).toEqual(expected)
})

test('tuples and arrays keep their names, types and order', () => {
  const details = [word(owner), word(7), word(8), word(9)]
  const single = call(
    '2b67b570',
    word(owner),
    ...details,
    word(spender),
    word(10),
    word(0x100),
    word(1),
    `ab${'00'.repeat(31)}`,
  )
  expect(decodeCall(single)).toMatchObject({
    args: [
      { name: 'owner', value: owner },
      {
        name: 'permitSingle',
        type: '((address,uint160,uint48,uint48),address,uint256)',
        value: [
          {
            name: 'details',
            type: '(address,uint160,uint48,uint48)',
            value: [
              { name: 'token', type: 'address', value: owner },
              { name: 'value', type: 'uint160', value: '7' },
              { name: 'expiration', type: 'uint48', value: '8' },
              { name: 'nonce', type: 'uint48', value: '9' },
            ],
          },
          { name: 'spender', type: 'address', value: spender },
          { name: 'sigDeadline', type: 'uint256', value: '10' },
        ],
      },
      { name: 'signature', type: 'bytes', value: '0xab' },
    ],
  })
})

test('decodes each call of a multicall', () => {
  const inner = call('a22cb465', word(spender), word(1))
  const padding = '00'.repeat(28)
  const data = call('ac9650d8', word(32), word(1), word(32), word(68), inner.slice(2), padding)
  const outer = decodeCall(data)
  expect(outer).toMatchObject({ args: [{ name: 'data', type: 'bytes[]', value: [{ name: '[0]', value: inner }] }] })
  expect(decodeCall(inner)).toMatchObject({ name: 'setApprovalForAll', args: [{ value: spender }, { value: 'true' }] })
})

test.each<[string, Hex]>([
  ['nothing', '0x'],
  ['less than a selector', '0x095ea7'],
  ['a selector that is not in the table', call('deadbeef', word(1))],
])('%s is not decoded', (_, data) => {
  expect(decodeCall(data)).toBeUndefined()
})

/** Name of the anomaly, the standard encoding, and the same call in an unusual encoding. */
const encodings: readonly [string, Hex, Hex][] = [
  ['one byte too many', call('095ea7b3', word(spender), word(1)), call('095ea7b3', word(spender), word(1), '00')],
  [
    'a whole call too many',
    call('095ea7b3', word(spender), word(1)),
    call('095ea7b3', word(spender), word(1), 'a22cb465', word(0), word(0)),
  ],
  ['arguments where there are none', call('d0e30db0'), call('d0e30db0', '01')],
  ['no arguments', call('095ea7b3', word(0), word(0)), call('095ea7b3')],
  [
    'an amount cut short, which is read as 2^255',
    call('095ea7b3', word(spender), word(2n ** 255n)),
    call('095ea7b3', word(spender), '80'),
  ],
  ['a bool of 2', call('a22cb465', word(spender), word(1)), call('a22cb465', word(spender), word(2))],
  ['a bool of 2^255', call('a22cb465', word(spender), word(1)), call('a22cb465', word(spender), word(2n ** 255n))],
  [
    'an address with more than 20 bytes',
    call('a9059cbb', word(owner), word(1)),
    call('a9059cbb', word(BigInt(owner) + 2n ** 160n), word(1)),
  ],
  [
    'an amount over the 160 bits of its type',
    call('87517c45', word(owner), word(spender), word(5), word(1)),
    call('87517c45', word(owner), word(spender), word(2n ** 160n + 5n), word(1)),
  ],
  ['an offset into the arguments', call('ac9650d8', word(32), word(0)), call('ac9650d8', word(0), word(0))],
  ['an offset that leaves a gap', call('ac9650d8', word(32), word(0)), call('ac9650d8', word(64), word(0), word(0))],
  [
    'two arrays that share their bytes',
    call('2eb2c2d6', word(owner), word(spender), word(160), word(192), word(224), word(0), word(0), word(0)),
    call('2eb2c2d6', word(owner), word(spender), word(160), word(160), word(160), word(0)),
  ],
  [
    'bytes without padding',
    call('b88d4fde', word(owner), word(spender), word(1), word(0x80), word(1), 'ab'.padEnd(64, '0')),
    call('b88d4fde', word(owner), word(spender), word(1), word(0x80), word(1), 'ab'),
  ],
  [
    'bytes with padding other than zeros',
    call('b88d4fde', word(owner), word(spender), word(1), word(0x80), word(1), 'ab'.padEnd(64, '0')),
    call('b88d4fde', word(owner), word(spender), word(1), word(0x80), word(1), 'ab'.repeat(32)),
  ],
  [
    'a wide word within tuples',
    call('0d58b1db', word(32), word(1), word(owner), word(spender), word(1), word(owner)),
    call('0d58b1db', word(32), word(1), word(owner), word(spender), word(1), word(BigInt(owner) + 2n ** 200n)),
  ],
]

test.each(encodings)('%s: decoded to the same call and marked unusual', (_, usual, data) => {
  const { args, ...decoded } = decodeCall(usual) as Call & { kind: 'call' }
  expect(decoded).not.toHaveProperty('unusual')
  expect(decodeCall(data)).toEqual({ ...decoded, args, unusual: true })
})

test.each<[string, Hex]>([
  ['an odd number of digits', '0x095ea7b30'],
  ['an offset outside the data', call('ac9650d8', word(64))],
  ['an offset of 2^255', call('ac9650d8', word(2n ** 255n))],
  ['a length of 2^255', call('b88d4fde', word(owner), word(spender), word(1), word(0x80), word(2n ** 255n))],
  ['more elements than are read', call('ac9650d8', word(32), word(70_000))],
])('%s is malformed', (_, data) => {
  expect(decodeCall(data)).toMatchObject({ kind: 'malformed' })
})

test('nested calls share one budget', () => {
  const data = call('ac9650d8', word(32), word(1), word(32), word(0))
  const budget = { words: 3 }
  expect(decodeCall(data, budget)).toMatchObject({ kind: 'call' })
  expect(decodeCall(data, budget)).toMatchObject({ kind: 'malformed' })
})
