/** Commands of Uniswap's Universal Router and actions of Uniswap V4: lists of bytes, each of which has an input. */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import type { ReadBudget } from '@heliograph/shared/evm/abi-decode'
import type { Call } from '@heliograph/shared/evm/calldata'
import { decodeData, type Hex } from '@heliograph/shared/evm/hex'
import { type Arguments, partsOf, textOf } from './call-arguments.ts'
import { callFrom, decodeBare, type Frame, type Inner, type NestedReader, NO_VALUE, part } from './nested-calls.ts'

type Operations = Readonly<Record<number, AbiFunction>>

const POOL = '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey'

/** Commands by number: https://github.com/Uniswap/universal-router/blob/main/contracts/libraries/Commands.sol */
const COMMANDS: Operations = {
  0: parseFunction(
    'V3_SWAP_EXACT_IN(address beneficiary, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser)',
  ),
  1: parseFunction(
    'V3_SWAP_EXACT_OUT(address beneficiary, uint256 amountOut, uint256 amountInMax, bytes path, bool payerIsUser)',
  ),
  2: parseFunction('PERMIT2_TRANSFER_FROM(address token, address to, uint160 value)'),
  3: parseFunction(
    'PERMIT2_PERMIT_BATCH(((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)',
  ),
  4: parseFunction('SWEEP(address token, address beneficiary, uint256 amountMin)'),
  5: parseFunction('TRANSFER(address token, address beneficiary, uint256 amount)'),
  6: parseFunction('PAY_PORTION(address token, address beneficiary, uint256 bips)'),
  8: parseFunction(
    'V2_SWAP_EXACT_IN(address beneficiary, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser)',
  ),
  9: parseFunction(
    'V2_SWAP_EXACT_OUT(address beneficiary, uint256 amountOut, uint256 amountInMax, address[] path, bool payerIsUser)',
  ),
  10: parseFunction(
    'PERMIT2_PERMIT(((address token, uint160 value, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
  ),
  11: parseFunction('WRAP_ETH(address beneficiary, uint256 amount)'),
  12: parseFunction('UNWRAP_WETH(address beneficiary, uint256 amountMin)'),
  13: parseFunction(
    'PERMIT2_TRANSFER_FROM_BATCH((address from, address to, uint160 value, address token)[] transferDetails)',
  ),
  14: parseFunction('BALANCE_CHECK_ERC20(address owner, address token, uint256 minBalance)'),
  16: parseFunction('V4_SWAP(bytes actions, bytes[] params)'),
  19: parseFunction(`V4_INITIALIZE_POOL(${POOL}, uint160 sqrtPriceX96)`),
  // Sub-plan commands in different versions of the router.
  32: parseFunction('SUB_PLAN(bytes commands, bytes[] inputs)'),
  33: parseFunction('SUB_PLAN(bytes commands, bytes[] inputs)'),
}

/** Commands whose input is a call to Uniswap's NonfungiblePositionManager: a permit, and any other call. */
const POSITION_CALLS: readonly number[] = [17, 18]
/** NonfungiblePositionManager's address on Ethereum and most other networks. */
const POSITIONS = '0xC36442b4a4522E871399CD717aBDD847Ab11FE88'

/** Creates an action that names no party: a swap, or a change of positions or debts within the pools. */
const silent = (name: string) => parseFunction(`${name}(bytes input)`)
const isSilent = ({ signature }: AbiFunction) => signature.endsWith('(bytes)')

/** Actions by number: https://github.com/Uniswap/v4-periphery/blob/main/src/libraries/Actions.sol */
const ACTIONS: Operations = {
  0: silent('INCREASE_LIQUIDITY'),
  1: silent('DECREASE_LIQUIDITY'),
  2: parseFunction(
    `MINT_POSITION(${POOL}, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address beneficiary, bytes hookData)`,
  ),
  3: silent('BURN_POSITION'),
  4: silent('INCREASE_LIQUIDITY_FROM_DELTAS'),
  5: parseFunction(
    `MINT_POSITION_FROM_DELTAS(${POOL}, int24 tickLower, int24 tickUpper, uint128 amount0Max, uint128 amount1Max, address beneficiary, bytes hookData)`,
  ),
  6: silent('SWAP_EXACT_IN_SINGLE'),
  7: silent('SWAP_EXACT_IN'),
  8: silent('SWAP_EXACT_OUT_SINGLE'),
  9: silent('SWAP_EXACT_OUT'),
  11: parseFunction('SETTLE(address currency, uint256 amount, bool payerIsUser)'),
  12: parseFunction('SETTLE_ALL(address currency, uint256 maxAmount)'),
  13: parseFunction('SETTLE_PAIR(address currency0, address currency1)'),
  14: parseFunction('TAKE(address token, address beneficiary, uint256 amount)'),
  15: parseFunction('TAKE_ALL(address currency, uint256 minAmount)'),
  16: parseFunction('TAKE_PORTION(address token, address beneficiary, uint256 bips)'),
  17: parseFunction('TAKE_PAIR(address currency0, address currency1, address beneficiary)'),
  18: parseFunction('CLOSE_CURRENCY(address currency)'),
  19: parseFunction('CLEAR_OR_TAKE(address currency, uint256 amountMax)'),
  20: parseFunction('SWEEP(address token, address beneficiary)'),
  21: parseFunction('WRAP(uint256 amount)'),
  22: parseFunction('UNWRAP(uint256 amount)'),
}

/** Portions that add up to less than this, a tenth in basis points, count as fees. */
const FEES = 1_000n
const PORTION = /_PORTION$/

const bipsOf = (call: Call | undefined): bigint =>
  call?.kind === 'call' && PORTION.test(call.name) ? BigInt(textOf(call.args, 'bips')) : 0n

/** Removes the party that gets a fee from an operation. */
const withoutFee = (call: Call | undefined): Call | undefined =>
  call?.kind === 'call' && PORTION.test(call.name)
    ? { ...call, args: call.args.map(arg => (arg.name === 'beneficiary' ? { ...arg, name: 'recipient' } : arg)) }
    : call

const decodeOperation = (called: AbiFunction | undefined, input: Hex, budget: ReadBudget): Call | undefined => {
  if (called === undefined || !isSilent(called)) return called && decodeBare(called, input, budget)
  const { name, signature } = called
  return { kind: 'call', name, signature, args: [{ name: 'input', type: 'bytes', value: input }] }
}

const operationsIn = (
  called: readonly (AbiFunction | undefined)[],
  inputs: Arguments,
  frame: Frame,
  budget: ReadBudget,
): Inner[] => {
  const calls = inputs.map(({ value }, at) => decodeOperation(called[at], value as Hex, budget))
  const hasFees = calls.reduce((sum, call) => sum + bipsOf(call), 0n) < FEES
  return calls.map(call => part(frame, hasFees ? withoutFee(call) : call))
}

/** Mask of the command number. The highest bit means that the command may fail. */
const COMMAND = 0x7f

/** Reads the commands in `execute(bytes,bytes[])`, with their inputs. */
export const routerCommands: NestedReader = (args, frame, budget) => {
  const codes = [...decodeData(textOf(args, 'commands'))].map(code => code & COMMAND)
  const inputs = partsOf(args, 'inputs')
  const read = operationsIn(
    inputs.map((_, at) => COMMANDS[codes[at] ?? 0]),
    inputs,
    frame,
    budget,
  )
  return read.map((inner, at) =>
    POSITION_CALLS.includes(codes[at] ?? 0)
      ? callFrom(frame, POSITIONS, NO_VALUE, String(inputs[at]?.value) as Hex)
      : inner,
  )
}

const readActions = (actions: Hex, params: Arguments, frame: Frame, budget: ReadBudget): Inner[] => {
  const codes = decodeData(actions)
  return operationsIn(
    params.map((_, at) => ACTIONS[codes[at] ?? 0]),
    params,
    frame,
    budget,
  )
}

/** Reads the actions in a swap, or in `modifyLiquiditiesWithoutUnlock`. */
export const poolActions: NestedReader = (args, frame, budget) =>
  readActions(textOf(args, 'actions') as Hex, partsOf(args, 'params'), frame, budget)

const unlocked = parseFunction('unlock(bytes actions, bytes[] params)')

/** Reads the actions in the data of `modifyLiquidities`. */
export const positionActions: NestedReader = (args, frame, budget) => {
  const call = decodeBare(unlocked, textOf(args, 'unlockData') as Hex, budget)
  return call.kind === 'call' ? poolActions(call.args, frame, budget) : [part(frame, call)]
}
