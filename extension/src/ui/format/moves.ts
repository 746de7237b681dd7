/** Formats the movements of the activity. */
import type { MoveView } from '../../messages.ts'
import { shortAddress } from './address.ts'
import { formatExact, withUnit } from './numbers.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'

/** Returns the symbol, in quotes if only the contract claims it. */
const unitOf = ({ symbol, listed, token }: MoveView): string => {
  if (symbol === null || symbol.trim() === '') return shortAddress(token ?? '')
  return listed ? cutName(symbol) : text('quoted', cutName(symbol))
}

/** Formats an amount, or an item with its number. */
export const moveAmount = (move: MoveView): string => {
  const unit = unitOf(move)
  if (move.id !== null) return `${unit} #${cutName(move.id)}${move.amount === '1' ? '' : ` × ${cutName(move.amount)}`}`
  return move.decimals === null ? unit : withUnit(formatExact(BigInt(move.amount), move.decimals), unit)
}
