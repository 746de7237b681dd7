/**
 * Reads a pasted address: with spaces, line breaks and invisible characters, as `eth:0x…` (EIP-3770), as a CAIP-10
 * account id, as a block explorer's URL, or as a payment link (EIP-681). Parses the form only; it does not check the
 * address. https://eips.ethereum.org/EIPS/eip-3770, https://eips.ethereum.org/EIPS/eip-681,
 * https://chainagnostic.org/CAIPs/caip-10
 */
import { plainAmpersands, replaceInvisible } from './plain.ts'

/** A payment that a link requests. `amount` is in the smallest unit of `token`, or of the chain's currency if null. */
export type AskedPayment = { token: string | null; amount: bigint | null }

export type PastedAddress = {
  /** `0x` and any number of hex digits, or else the text itself, such as an ENS name. */
  address: string
  /** The network named in the text, as a chain id or a short name. */
  chain?: number | string
  payment?: AskedPayment
  /**
   * A part of a payment link that the wallet does not support. Without this part, the rest of the link must not be
   * used.
   */
  unknown?: { part: 'amount' | 'function'; value: string }
}

const WRAPPING = /^[\s"'`“”„«»‹›<>()[\]]+|[\s"'`“”„«»‹›<>()[\].,;!]+$/g
const HEX = /^(?:0x)?([0-9a-f]*)$/i
const ADDRESS_DIGITS = 40
/** Maximum number of missing or extra digits in an address without `0x`. */
const MAX_WRONG = 8
const PAYMENT = /^ethereum:(?:\/\/)?(?:pay-)?([^@/?]*)(?:@([^/?]*))?(?:\/([^?]*))?(?:\?(.*))?$/i
const ACCOUNT_ID = /^(?:did:pkh:)?eip155:(\d{1,16}):(.*)$/i
const SHORT_NAME = /^([a-z\d-]{1,32}):(0x.*|[^/:?]+\.eth)$/i
/** XDC's explorers show addresses only in this form. */
const XDC_ADDRESS = /^xdc([\da-f]{40})$/i
const EXPLORER = /^(?:https?:\/\/)?[\w.-]+(?::\d+)?\/address\/(0x[\da-f]*)\/?(?:[?#].*)?$/i
const ENCODED_PAYMENT = /^ethereum%3a/i
/** A number as in EIP-681, such as `2.014e18`. */
const NUMBER = /^\+?(\d*)(?:\.(\d+))?(?:e\+?(\d{1,3}))?$/i
/** Number of decimal digits of the largest uint256. */
const MAX_DIGITS = 78
const MAX_AMOUNT = 2n ** 256n - 1n

/** Parses a link's number. Returns undefined unless it is a whole number below 2^256. */
const wholeNumber = (text: string): bigint | undefined => {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const shift = Number(exponent) - fraction.replace(/0+$/, '').length
  const digits = `${whole}${fraction.replace(/0+$/, '')}`
  if (digits === '' || shift < 0 || digits.length + shift > MAX_DIGITS) return undefined
  const amount = BigInt(digits) * 10n ** BigInt(shift)
  return amount > MAX_AMOUNT ? undefined : amount
}

/**
 * Returns hex digits with `0x`, other text unchanged. Digits without `0x` count only if there are about as many as in
 * an address.
 */
const addressIn = (text: string): string => {
  const [, digits] = HEX.exec(text) ?? []
  if (digits === undefined || (!/^0x/i.test(text) && Math.abs(digits.length - ADDRESS_DIGITS) > MAX_WRONG)) return text
  return `0x${digits}`
}

/** Returns a chain id as a number (some wallets write it in hex), and other text unchanged. */
const chainIn = (text: string): number | string => (/^(?:\d{1,15}|0x[\da-f]{1,13})$/i.test(text) ? Number(text) : text)

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Parses the values of an amount parameter. The amount is null if there are none, and `unknown` if they differ or are
 * invalid.
 */
const amountIn = (given: readonly string[]): Pick<PastedAddress, 'unknown'> & { amount: bigint | null } => {
  const texts = [...new Set(given.filter(text => text !== ''))]
  const [text] = texts
  if (text === undefined) return { amount: null }
  // A plus sign means a space in a query.
  const amount = texts.length > 1 ? undefined : wholeNumber(text.trim().replace(' ', '+'))
  return amount === undefined ? { amount: null, unknown: { part: 'amount', value: texts.join(', ') } } : { amount }
}

const SELECTOR_LENGTH = '0x12345678'.length

/** Returns the function name or selector from parameters of older link formats, which EIP-681 replaced. */
const callIn = (asked: URLSearchParams): string | undefined => {
  const data = asked.get('data') ?? ''
  return asked.get('function') || (/^(?:0x)?$/i.test(data) ? undefined : data.slice(0, SELECTOR_LENGTH))
}

const readLink = (target: string, on: string | undefined, called: string | undefined, query = ''): PastedAddress => {
  const asked = new URLSearchParams(query)
  const named = on ? { chain: chainIn(on) } : {}
  const other = called || callIn(asked)
  if (!other) {
    const { amount, unknown } = amountIn(asked.getAll('value'))
    return {
      address: addressIn(target),
      ...named,
      ...(amount !== null && { payment: { token: null, amount } }),
      ...(unknown && { unknown }),
    }
  }
  const [to, ...more] = asked.getAll('address')
  if (called !== 'transfer' || to === undefined || more.length > 0)
    return { address: addressIn(target), ...named, unknown: { part: 'function', value: other } }
  const { amount, unknown } = amountIn(asked.getAll('uint256'))
  const payment = { token: addressIn(target), amount }
  return { address: addressIn(to), ...named, payment, ...(unknown && { unknown }) }
}

export const readPastedAddress = (pasted: string): PastedAddress => {
  const text = replaceInvisible(pasted, '').replace(WRAPPING, '')
  // Joins addresses that contain line breaks or grouped digits. None of the supported forms has spaces.
  const compact = plainAmpersands(text.replace(/\s+/g, ''))
  const joined = ENCODED_PAYMENT.test(compact) ? decode(compact) : compact
  const [, target, on, called, query] = PAYMENT.exec(joined) ?? []
  if (target !== undefined) return readLink(target, on, called, query)
  const [, id, account] = ACCOUNT_ID.exec(joined) ?? []
  if (account !== undefined) return { address: addressIn(account), chain: Number(id) }
  const [, shortName, address] = SHORT_NAME.exec(joined) ?? []
  if (address !== undefined && shortName !== undefined)
    return { address: addressIn(address), chain: chainIn(shortName) }
  const [, ofXdc] = XDC_ADDRESS.exec(joined) ?? []
  if (ofXdc !== undefined) return { address: `0x${ofXdc}`, chain: 'xdc' }
  const [, shown] = EXPLORER.exec(joined) ?? []
  if (shown !== undefined) return { address: addressIn(shown) }
  const plain = addressIn(joined)
  return { address: plain.startsWith('0x') ? plain : text }
}
