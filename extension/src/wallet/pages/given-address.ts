/**
 * Addresses that the user typed or pasted: the network that they name, the payment that they request, and missing
 * digits.
 */

import { fromChainCase } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { type PastedAddress, readPastedAddress } from '@heliograph/shared/pasted/address'
import { chainOfShortName } from '@heliograph/shared/pasted/short-names'
import type { AskedPaymentView } from '../../messages.ts'
import { fail, rpcError, valueError } from '../text/errors.ts'
import type { UiParts } from './parts.ts'

/** `address` is text that has not been validated: an address, an ENS name, or neither. */
export type GivenAddress = { address: string; payment: AskedPaymentView | null }

const HEX = /^0x[0-9a-f]*$/i
/** Matches a shortened address, as pages show it where space is limited. */
const SHORTENED = /^0x[0-9a-f]+(?:\u2026|\.{2,}|\*{2,})[0-9a-f]+$/i
const ADDRESS_DIGITS = 40
/** Maximum characters of the text that an error quotes. */
const MAX_QUOTED = 40

/**
 * Throws ValueError if an address has too few or too many digits, and -32602 if it is shortened. An input with too many
 * digits may be a private key, so its error must not quote it.
 */
const assertDigits = (address: string) => {
  if (SHORTENED.test(address)) throw rpcError('invalidParams', 'addressShortened')
  const digits = address.length - '0x'.length
  if (!HEX.test(address) || digits === ADDRESS_DIGITS) return
  if (digits < ADDRESS_DIGITS) fail('address', address, 'addressShort', { digits, missing: ADDRESS_DIGITS - digits })
  throw valueError('addressLong', { place: 'address', digits, spare: digits - ADDRESS_DIGITS })
}

/** Returns the chain id. Throws -32602 for an unknown short name. */
const chainIdOf = (chain: NonNullable<PastedAddress['chain']>): number => {
  const chainId = typeof chain === 'number' ? chain : chainOfShortName(chain)
  if (chainId !== undefined) return chainId
  throw rpcError('invalidParams', 'unknownShortName', { name: String(chain).slice(0, MAX_QUOTED) })
}

const paymentOf = ({ payment, unknown }: PastedAddress): AskedPaymentView | null => {
  const value = unknown?.value.slice(0, MAX_QUOTED) ?? ''
  if (unknown?.part === 'amount') throw rpcError('invalidParams', 'paymentAmount', { value })
  if (unknown?.part === 'function') throw rpcError('invalidParams', 'paymentFunction', { value })
  if (!payment) return null
  return { token: payment.token, amount: payment.amount === null ? null : encodeQuantity(payment.amount) }
}

/**
 * Parses an address, which may have its chain's checksum (EIP-1191), for the network `chainId`, or for any network if
 * `chainId` is null. Throws -32602 or ValueError if the text names another network, asks for anything but a payment, or
 * lacks digits.
 */
export const readGivenAddress = async (
  { networks, listedNetworks }: Pick<UiParts, 'networks' | 'listedNetworks'>,
  text: string,
  chainId: number | null,
): Promise<GivenAddress> => {
  const pasted = readPastedAddress(text)
  const named = pasted.chain === undefined ? chainId : chainIdOf(pasted.chain)
  if (chainId !== null && named !== null && named !== chainId) {
    const { title: network } = await networks.get(chainId)
    const known = [...(await networks.list()), ...(await listedNetworks())].find(other => other.chainId === named)
    if (!known) throw rpcError('invalidParams', 'addressOfOtherChain', { chainId: named, network })
    throw rpcError('invalidParams', 'addressOfOtherNetwork', { other: known.title, chainId: named, network })
  }
  const payment = paymentOf(pasted)
  assertDigits(pasted.address)
  return { address: String(fromChainCase(pasted.address, named)), payment }
}
