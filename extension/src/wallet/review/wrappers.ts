/** Extracts the calls nested in batches, smart accounts, forwarders and routers. */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import type { ReadBudget } from '@heliograph/shared/evm/abi-decode'
import { toAddress } from '@heliograph/shared/evm/address'
import { type Call, type CallArgument, decodeCallOf } from '@heliograph/shared/evm/calldata'
import { decodeData, encodeData, type Hex } from '@heliograph/shared/evm/hex'

export type DecodedCall = Extract<Call, { kind: 'call' }>

/**
 * An execution context: `to` is the contract whose code runs, `account` its caller, and `self` the address it runs as,
 * which differs from `to` in a DELEGATECALL.
 */
export type Frame = { to: string; account: string; self: string }

/**
 * A nested call: its calldata, or the decoded call if it has none (undefined if it cannot be read). `value` is in wei,
 * `payee` is the address that the data names, and `delegates` is true for a DELEGATECALL.
 */
export type Inner = Frame & { value: string; payee: string; delegates: boolean } & (
    | { data: Hex }
    | { call: Call | undefined }
  )

const argument = (args: readonly CallArgument[], name: string) => args.find(arg => arg.name === name)?.value
const textOf = (args: readonly CallArgument[], name: string): string => String(argument(args, name) ?? '')
const dataOf = (args: readonly CallArgument[], name: string) => textOf(args, name) as Hex
const listOf = (args: readonly CallArgument[], name: string): readonly CallArgument[] => {
  const value = argument(args, name) ?? []
  return typeof value === 'string' ? [] : value
}
/** The fields of each tuple in a list. */
const structsOf = (args: readonly CallArgument[], name: string): (readonly CallArgument[])[] =>
  listOf(args, name).flatMap(({ value }) => (typeof value === 'string' ? [] : [value]))

const ZERO = /^0x0{40}$/
export const NO_VALUE = '0'

/** A CALL by the contract. Some contracts read the zero address as themselves. */
const callFrom = ({ self }: Frame, target: string, value: string, data: Hex): Inner => {
  const to = ZERO.test(target) ? self : target
  return { to, account: self, self: to, value, payee: target, data, delegates: false }
}
/** A DELEGATECALL: the target's code runs as the calling contract. */
export const delegateFrom = ({ account, self }: Frame, target: string, data: Hex): Inner => ({
  to: target,
  account,
  self,
  value: NO_VALUE,
  payee: target,
  data,
  delegates: true,
})
/** A forwarded call, which the target treats as made by `account`. */
export const callFor = (account: string, target: string, value: string, data: Hex): Inner => ({
  to: target,
  account,
  self: target,
  value,
  payee: target,
  data,
  delegates: false,
})
/** A nested operation that is not encoded as calldata. */
const part = (frame: Frame, call: Call | undefined): Inner => ({
  ...frame,
  value: NO_VALUE,
  payee: frame.to,
  delegates: false,
  call,
})
const unreadable = (frame: Frame, name: string): Inner =>
  part(frame, { kind: 'malformed', name, signature: `${name}(bytes)` })

type Reader = (args: readonly CallArgument[], frame: Frame, budget: ReadBudget) => Inner[]

/** Multicall: the contract calls itself with its caller's identity. */
const selfCalls: Reader = (args, frame) =>
  listOf(args, 'data').map(({ value }) => ({
    ...frame,
    value: NO_VALUE,
    payee: frame.to,
    data: value as Hex,
    delegates: false,
  }))
const callIn = (args: readonly CallArgument[], frame: Frame): Inner =>
  callFrom(frame, textOf(args, 'target'), textOf(args, 'value') || NO_VALUE, dataOf(args, 'data'))
const targetCalls: Reader = (args, frame) => structsOf(args, 'calls').map(call => callIn(call, frame))
const oneCall: Reader = (args, frame) => [callIn(args, frame)]
const parallelCalls: Reader = (args, frame) => {
  const [targets, values] = [listOf(args, 'targets'), listOf(args, 'values')]
  return listOf(args, 'data').map(({ value: data }, at) =>
    callFrom(frame, String(targets[at]?.value ?? frame.self), String(values[at]?.value ?? NO_VALUE), data as Hex),
  )
}

/** The operation of Safe and ERC-725X decides between a call and a delegatecall. */
const byOperation =
  (isDelegate: (operation: string) => boolean): Reader =>
  (args, frame, budget) => {
    const isCode = isDelegate(textOf(args, 'operation'))
    return isCode ? [delegateFrom(frame, textOf(args, 'target'), dataOf(args, 'data'))] : oneCall(args, frame, budget)
  }
/** Safe: 0 is a call, 1 a delegatecall. */
const safeCall = byOperation(operation => operation !== '0')
/** ERC-725X: 0 is a call, 1 and 2 create a contract, 3 is a static call, 4 a delegatecall. */
const erc725Call = byOperation(operation => operation === '4')

const ADDRESS_BYTES = 20
const WORD = 32
/** Bytes before the data of each transaction: operation, address, value and length. */
const SEND_HEAD = 1 + ADDRESS_BYTES + 2 * WORD

/** The packed list of Safe's MultiSend, which runs by delegatecall. */
const sends: Reader = (args, frame) => {
  const bytes = decodeData(dataOf(args, 'transactions'))
  const inner: Inner[] = []
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.subarray(at, at + SEND_HEAD)
    const length = head.length === SEND_HEAD ? BigInt(encodeData(head.subarray(-WORD))) : undefined
    const start = at + SEND_HEAD
    if (length === undefined || length > BigInt(bytes.length - start)) return [...inner, unreadable(frame, 'multiSend')]
    const target = toAddress(encodeData(head.subarray(1, 1 + ADDRESS_BYTES)))
    const data = encodeData(bytes.subarray(start, start + Number(length)))
    const value = String(BigInt(encodeData(head.subarray(1 + ADDRESS_BYTES, 1 + ADDRESS_BYTES + WORD))))
    inner.push(head[0] === 0 ? callFrom(frame, target, value, data) : delegateFrom(frame, target, data))
    at = start + Number(length)
  }
  return inner
}

/** Bare arguments are decoded behind a selector that the decoder ignores. */
const NO_SELECTOR = '0x00000000'
const decodeBare = (called: AbiFunction, bytes: Hex, budget: ReadBudget): Call =>
  decodeCallOf(`${NO_SELECTOR}${bytes.slice(2)}`, called, budget)

const calls = parseFunction('calls((address target, uint256 value, bytes data)[] calls)')
const batches = parseFunction('batches(bytes[] batches)')

const bareCalls = (data: Hex, frame: Frame, budget: ReadBudget): Inner[] => {
  const call = decodeBare(calls, data, budget)
  return call.kind === 'call' ? targetCalls(call.args, frame, budget) : [part(frame, call)]
}

/** Call types: the first byte of an ERC-7579 mode. */
const SINGLE = '0x00'
const BATCH = '0x01'
const DELEGATE = '0xff'
/** Bytes 6 to 9 of a mode of ERC-7821: the data is a list of batches. */
const BATCHES = '78210002'

/** https://eips.ethereum.org/EIPS/eip-7579 and https://eips.ethereum.org/EIPS/eip-7821 */
const modeCalls: Reader = (args, frame, budget) => {
  const [mode, data] = [textOf(args, 'mode'), dataOf(args, 'executionCalldata')]
  const kind = mode.slice(0, 4)
  if (kind === BATCH && mode.slice(14, 22) === BATCHES) {
    const call = decodeBare(batches, data, budget)
    return call.kind === 'call'
      ? listOf(call.args, 'batches').flatMap(({ value }) => bareCalls(value as Hex, frame, budget))
      : [part(frame, call)]
  }
  if (kind === BATCH) return bareCalls(data, frame, budget)
  const packed = decodeData(data)
  const target = packed.subarray(0, ADDRESS_BYTES)
  if (target.length < ADDRESS_BYTES) return [unreadable(frame, 'execute')]
  const address = toAddress(encodeData(target))
  if (kind === SINGLE) {
    const value = BigInt(encodeData(packed.subarray(ADDRESS_BYTES, ADDRESS_BYTES + WORD)).padEnd(2 + 2 * WORD, '0'))
    return [callFrom(frame, address, String(value), encodeData(packed.subarray(ADDRESS_BYTES + WORD)))]
  }
  if (kind === DELEGATE) return [delegateFrom(frame, address, encodeData(packed.subarray(ADDRESS_BYTES)))]
  return [part(frame, undefined)]
}

/** `executeUserOp(PackedUserOperation,bytes32)`: the account executes the data after this selector. */
const EXECUTE_USER_OP = '0x8dd7712f'

/** The calls of a user operation, https://eips.ethereum.org/EIPS/eip-4337: the factory's, then the account's own. */
export const callsOfOperation = (
  { sender, initCode, callData }: { sender: string; initCode: Hex; callData: Hex },
  entryPoint: string,
): Inner[] => {
  const data: Hex = callData.startsWith(EXECUTE_USER_OP) ? `0x${callData.slice(EXECUTE_USER_OP.length)}` : callData
  const creation = part({ to: sender, account: entryPoint, self: sender }, undefined)
  return [...(initCode === '0x' ? [] : [creation]), callFor(entryPoint, sender, NO_VALUE, data)]
}

const operations: Reader = (args, { to }) =>
  structsOf(args, 'ops').flatMap(op =>
    callsOfOperation(
      { sender: textOf(op, 'sender'), initCode: dataOf(op, 'initCode'), callData: dataOf(op, 'callData') },
      to,
    ),
  )

const forwarded = (request: readonly CallArgument[]): Inner =>
  callFor(textOf(request, 'from'), textOf(request, 'target'), textOf(request, 'value'), dataOf(request, 'data'))

/** Mask of a Universal Router command; the highest bit allows it to fail. */
const COMMAND = 0x7f
/** The sub-plan commands of the router's versions. */
const SUB_PLANS = [0x20, 0x21]
const COMMANDS: Readonly<Record<number, AbiFunction>> = {
  2: parseFunction('PERMIT2_TRANSFER_FROM(address token, address to, uint160 value)'),
  3: parseFunction(
    'PERMIT2_PERMIT_BATCH(((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)',
  ),
  10: parseFunction(
    'PERMIT2_PERMIT(((address token, uint160 value, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
  ),
  13: parseFunction(
    'PERMIT2_TRANSFER_FROM_BATCH((address from, address to, uint160 value, address token)[] transferDetails)',
  ),
}
const subPlan = parseFunction('execute(bytes commands, bytes[] inputs)')

/** The router's commands. Swaps are not decoded. Each command has one input. */
const commands: Reader = (args, frame, budget) => {
  const bytes = decodeData(dataOf(args, 'commands'))
  return listOf(args, 'inputs').map(({ value }, at) => {
    const command = (bytes[at] ?? 0) & COMMAND
    const called = SUB_PLANS.includes(command) ? subPlan : COMMANDS[command]
    return part(frame, called && decodeBare(called, value as Hex, budget))
  })
}

const READERS: Readonly<Record<string, Reader>> = {
  'multicall(bytes[])': selfCalls,
  'multicall(uint256,bytes[])': selfCalls,
  'multicall(bytes32,bytes[])': selfCalls,
  'batch(bytes[],bool)': selfCalls,
  'aggregate((address,bytes)[])': targetCalls,
  'tryAggregate(bool,(address,bytes)[])': targetCalls,
  'blockAndAggregate((address,bytes)[])': targetCalls,
  'tryBlockAndAggregate(bool,(address,bytes)[])': targetCalls,
  'aggregate3((address,bool,bytes)[])': targetCalls,
  'aggregate3Value((address,bool,uint256,bytes)[])': targetCalls,
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': safeCall,
  'execTransactionFromModule(address,uint256,bytes,uint8)': safeCall,
  'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)': safeCall,
  'multiSend(bytes)': sends,
  'execute(address,uint256,bytes)': oneCall,
  'executeBatch(address[],bytes[])': parallelCalls,
  'executeBatch(address[],uint256[],bytes[])': parallelCalls,
  'executeBatch((address,uint256,bytes)[])': targetCalls,
  'execute((address,uint256,bytes)[])': targetCalls,
  'execute(uint256,address,uint256,bytes)': erc725Call,
  'execute(address,bytes)': (args, frame) => [delegateFrom(frame, textOf(args, 'target'), dataOf(args, 'data'))],
  'execute(bytes32,bytes)': modeCalls,
  'executeFromExecutor(bytes32,bytes)': modeCalls,
  'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)': operations,
  'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)': operations,
  'execute((address,address,uint256,uint256,uint256,bytes),bytes)': args => [forwarded(listOf(args, 'request'))],
  'execute((address,address,uint256,uint256,uint48,bytes,bytes))': args => [forwarded(listOf(args, 'request'))],
  'executeBatch((address,address,uint256,uint256,uint48,bytes,bytes)[],address)': args =>
    structsOf(args, 'requests').map(forwarded),
  'batch((address,address,uint256,bytes)[])': args => structsOf(args, 'items').map(forwarded),
  'execute(bytes,bytes[])': commands,
  'execute(bytes,bytes[],uint256)': commands,
}

/** The nested calls in order; undefined for a function that contains none. */
export const callsWithin = ({ signature, args }: DecodedCall, frame: Frame, budget: ReadBudget): Inner[] | undefined =>
  Object.hasOwn(READERS, signature) ? READERS[signature]?.(args, frame, budget) : undefined
