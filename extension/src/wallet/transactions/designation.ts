/** The code of an account that delegates to a contract: https://eips.ethereum.org/EIPS/eip-7702 */
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'

/** Prefix of a delegating account's code. The contract's address follows it. */
const DESIGNATOR = '0xef0100'
const DESIGNATION_LENGTH = DESIGNATOR.length + 40

/** Returns the code of an account that delegates to this contract. */
export const designationOf = (delegate: Address): Hex => `${DESIGNATOR}${delegate.slice(2).toLowerCase()}`

/** Returns the contract to which an account with this code delegates. Null for any other code. */
export const delegateIn = (code: unknown): Address | null =>
  typeof code === 'string' && code.length === DESIGNATION_LENGTH && code.toLowerCase().startsWith(DESIGNATOR)
    ? toAddress(`0x${code.slice(DESIGNATOR.length).toLowerCase()}`)
    : null
