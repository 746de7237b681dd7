/** Extracts the calls nested in batches, smart accounts, forwarders and routers. */
import { parseFunction } from '@heliograph/shared/evm/abi'
import type { ReadBudget } from '@heliograph/shared/evm/abi-decode'
import { toAddress } from '@heliograph/shared/evm/address'
import { decodeData, encodeData, type Hex } from '@heliograph/shared/evm/hex'
import { type Arguments, type DecodedCall, partsOf, structsOf, textOf } from './call-arguments.ts'
import {
  callFor,
  callFrom,
  decodeBare,
  delegateFrom,
  type Frame,
  type Inner,
  type NestedReader,
  NO_VALUE,
  part,
  unreadable,
} from './nested-calls.ts'
import { poolActions, positionActions, routerCommands } from './router-commands.ts'
import { refundOf, refundPayment } from './safe-refunds.ts'

export type { DecodedCall } from './call-arguments.ts'
export { callFor, delegateFrom, type Frame, type Inner, NO_VALUE } from './nested-calls.ts'

const dataOf = (args: Arguments, name: string) => textOf(args, name) as Hex

/** Reads a multicall: the contract calls itself with its caller's identity. */
const selfCalls: NestedReader = (args, frame) =>
  partsOf(args, 'data').map(({ value }) => ({
    ...frame,
    value: NO_VALUE,
    payee: frame.to,
    data: value as Hex,
    delegates: false,
  }))
const callIn = (args: Arguments, frame: Frame): Inner =>
  callFrom(frame, textOf(args, 'target'), textOf(args, 'value') || NO_VALUE, dataOf(args, 'data'))
const targetCalls: NestedReader = (args, frame) => structsOf(args, 'calls').map(call => callIn(call, frame))
const oneCall: NestedReader = (args, frame) => [callIn(args, frame)]
const parallelCalls: NestedReader = (args, frame) => {
  const [targets, values] = [partsOf(args, 'targets'), partsOf(args, 'values')]
  return partsOf(args, 'data').map(({ value: data }, at) =>
    callFrom(frame, String(targets[at]?.value ?? frame.self), String(values[at]?.value ?? NO_VALUE), data as Hex),
  )
}

/** Creates a reader for Safe and ERC-725X, whose operation selects a call or a delegatecall. */
const byOperation =
  (isDelegate: (operation: string) => boolean): NestedReader =>
  (args, frame, budget) => {
    const isCode = isDelegate(textOf(args, 'operation'))
    return isCode ? [delegateFrom(frame, textOf(args, 'target'), dataOf(args, 'data'))] : oneCall(args, frame, budget)
  }
/** Reads Safe's operations: 0 is a call, 1 a delegatecall. */
const safeCall = byOperation(operation => operation !== '0')
/** Reads ERC-725X's operations: 0 is a call, 1 and 2 create a contract, 3 is a static call, 4 a delegatecall. */
const erc725Call = byOperation(operation => operation === '4')

const ADDRESS_BYTES = 20
const WORD = 32
/** Number of bytes before the data of each transaction: operation, address, value and length. */
const SEND_HEAD = 1 + ADDRESS_BYTES + 2 * WORD

/** Reads the packed list of Safe's MultiSend, which runs by delegatecall. */
const sends: NestedReader = (args, frame) => {
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

const calls = parseFunction('calls((address target, uint256 value, bytes data)[] calls)')
const batches = parseFunction('batches(bytes[] batches)')

const bareCalls = (data: Hex, frame: Frame, budget: ReadBudget): Inner[] => {
  const call = decodeBare(calls, data, budget)
  return call.kind === 'call' ? (targetCalls(call.args, frame, budget) ?? []) : [part(frame, call)]
}

/** Call types, in the first byte of an ERC-7579 mode. */
const SINGLE = '0x00'
const BATCH = '0x01'
const DELEGATE = '0xff'
/** Bytes 6 to 9 of an ERC-7821 mode whose data is a list of batches. */
const BATCHES = '78210002'

/** Reads calls with a mode: https://eips.ethereum.org/EIPS/eip-7579 and https://eips.ethereum.org/EIPS/eip-7821 */
const modeCalls: NestedReader = (args, frame, budget) => {
  const [mode, data] = [textOf(args, 'mode'), dataOf(args, 'executionCalldata')]
  const kind = mode.slice(0, 4)
  if (kind === BATCH && mode.slice(14, 22) === BATCHES) {
    const call = decodeBare(batches, data, budget)
    return call.kind === 'call'
      ? partsOf(call.args, 'batches').flatMap(({ value }) => bareCalls(value as Hex, frame, budget))
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

/** Selector of `executeUserOp(PackedUserOperation,bytes32)`: the account executes the data after it. */
const EXECUTE_USER_OP = '0x8dd7712f'

/** Returns a user operation's calls: the factory's, then the account's own. https://eips.ethereum.org/EIPS/eip-4337 */
export const callsOfOperation = (
  { sender, initCode, callData }: { sender: string; initCode: Hex; callData: Hex },
  entryPoint: string,
): Inner[] => {
  const data: Hex = callData.startsWith(EXECUTE_USER_OP) ? `0x${callData.slice(EXECUTE_USER_OP.length)}` : callData
  const creation = part({ to: sender, account: entryPoint, self: sender }, undefined)
  return [...(initCode === '0x' ? [] : [creation]), callFor(entryPoint, sender, NO_VALUE, data)]
}

const operations: NestedReader = (args, { to }) =>
  structsOf(args, 'ops').flatMap(op =>
    callsOfOperation(
      { sender: textOf(op, 'sender'), initCode: dataOf(op, 'initCode'), callData: dataOf(op, 'callData') },
      to,
    ),
  )

const forwarded = (request: Arguments): Inner =>
  callFor(textOf(request, 'from'), textOf(request, 'target'), textOf(request, 'value'), dataOf(request, 'data'))

/** Reads a Safe's transaction, and its refund in coins for gas. */
const safeTransaction: NestedReader = (args, frame, budget) => {
  const refund = refundOf(name => textOf(args, name), frame.self, frame.account)
  const paid = refund?.token === null ? [refundPayment(refund)] : []
  return [...(safeCall(args, frame, budget) ?? []), ...paid]
}

/** Reads a call on another chain, made by the same account. */
const callElsewhere: NestedReader = (args, { account }) => {
  const data = dataOf(args, 'data')
  return data === '0x' ? undefined : [callFor(account, textOf(args, 'beneficiary'), NO_VALUE, data)]
}

/** Reads an order of which only a hash is known. */
const hiddenOrder: NestedReader = (args, frame) =>
  textOf(args, 'signed') === 'true' ? [part(frame, undefined)] : undefined

const READERS: Readonly<Record<string, NestedReader>> = {
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
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': safeTransaction,
  'execTransactionFromModule(address,uint256,bytes,uint8)': safeCall,
  'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)': safeCall,
  'executeUserOp(address,uint256,bytes,uint8)': safeCall,
  'executeUserOpWithErrorString(address,uint256,bytes,uint8)': safeCall,
  'multiSend(bytes)': sends,
  'execute(address,uint256,bytes)': oneCall,
  'execute(address,uint256,bytes,uint8)': safeCall,
  'execute_ncC(address,uint256,bytes)': oneCall,
  'executeBatch_y6U(address[],uint256[],bytes[])': parallelCalls,
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
  'execute((address,address,uint256,uint256,uint256,bytes),bytes)': args => [forwarded(partsOf(args, 'request'))],
  'execute((address,address,uint256,uint256,uint48,bytes,bytes))': args => [forwarded(partsOf(args, 'request'))],
  'executeBatch((address,address,uint256,uint256,uint48,bytes,bytes)[],address)': args =>
    structsOf(args, 'requests').map(forwarded),
  'batch((address,address,uint256,bytes)[])': args => structsOf(args, 'items').map(forwarded),
  'execute(bytes,bytes[])': routerCommands,
  'execute(bytes,bytes[],uint256)': routerCommands,
  'SUB_PLAN(bytes,bytes[])': routerCommands,
  'V4_SWAP(bytes,bytes[])': poolActions,
  'modifyLiquidities(bytes,uint256)': positionActions,
  'modifyLiquiditiesWithoutUnlock(bytes,bytes[])': poolActions,
  'exec(address,address,uint256,address,bytes)': (args, { account }) => [
    callFor(account, textOf(args, 'target'), NO_VALUE, dataOf(args, 'data')),
  ],
  'setPreSignature(bytes,bool)': hiddenOrder,
  'depositTransaction(address,uint256,uint64,bool,bytes)': callElsewhere,
}

/** Returns the nested calls in order. Undefined for a function that contains none. */
export const callsWithin = ({ signature, args }: DecodedCall, frame: Frame, budget: ReadBudget): Inner[] | undefined =>
  Object.hasOwn(READERS, signature) ? READERS[signature]?.(args, frame, budget) : undefined
