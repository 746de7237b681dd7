/**
 * Reads an address as people paste it: with spaces, line breaks and invisible characters, as `eth:0x…` (EIP-3770), as a CAIP-10
 * account id, as the page of a block explorer, and as a payment link (EIP-681). Reads the form alone: the address is not checked.
 * https://eips.ethereum.org/EIPS/eip-3770, https://eips.ethereum.org/EIPS/eip-681,
 * https://chainagnostic.org/CAIPs/caip-10
 */
import { plainAmpersands, replaceInvisible } from './plain.ts'

/** What a payment link asks for: an amount in the smallest unit, of the token at an address or else of the currency. */
export type AskedPayment = { token: string | null; amount: bigint | null }

export type PastedAddress = {
  /** `0x` and hex digits, of any number; or else the text, such as an ENS name. */
  address: string
  /** The network that the text names: its chain id, or its short name. */
  chain?: number | string
  payment?: AskedPayment
  /** A part of a payment link that cannot be followed, which makes the rest of it meaningless. */
  unknown?: { part: 'amount' | 'function'; value: string }
}

const WRAPPING = /^[\s"'`“”„«»‹›<>()[\]]+|[\s"'`“”„«»‹›<>()[\].,;!]+$/g
const HEX = /^(?:0x)?([0-9a-f]*)$/i
const ADDRESS_DIGITS = 40
/** Digits that may be missing or too many in an address without 0x. */
const MAX_WRONG = 8
const PAYMENT = /^ethereum:(?:\/\/)?(?:pay-)?([^@/?]*)(?:@([^/?]*))?(?:\/([^?]*))?(?:\?(.*))?$/i
const ACCOUNT_ID = /^(?:did:pkh:)?eip155:(\d{1,16}):(.*)$/i
const SHORT_NAME = /^([a-z\d-]{1,32}):(0x.*|[^/:?]+\.eth)$/i
/** The only form that the explorers of XDC have. */
const XDC_ADDRESS = /^xdc([\da-f]{40})$/i
const EXPLORER = /^(?:https?:\/\/)?[\w.-]+(?::\d+)?\/address\/(0x[\da-f]*)\/?(?:[?#].*)?$/i
const ENCODED_PAYMENT = /^ethereum%3a/i
/** A number of EIP-681, such as `2.014e18`. */
const NUMBER = /^\+?(\d*)(?:\.(\d+))?(?:e\+?(\d{1,3}))?$/i
/** A uint256 has 78 digits. */
const MAX_DIGITS = 78
const MAX_AMOUNT = 2n ** 256n - 1n

/** The whole number that a link writes; undefined for any other text. */
const wholeNumber = (text: string): bigint | undefined => {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const shift = Number(exponent) - fraction.replace(/0+$/, '').length
  const digits = `${whole}${fraction.replace(/0+$/, '')}`
  if (digits === '' || shift < 0 || digits.length + shift > MAX_DIGITS) return undefined
  const amount = BigInt(digits) * 10n ** BigInt(shift)
  return amount > MAX_AMOUNT ? undefined : amount
}

/** `0x` and the digits of a text in hex; of digits without `0x` only if they are nearly as many as those of an address. */
const addressIn = (text: string): string => {
  const [, digits] = HEX.exec(text) ?? []
  if (digits === undefined || (!/^0x/i.test(text) && Math.abs(digits.length - ADDRESS_DIGITS) > MAX_WRONG)) return text
  return `0x${digits}`
}

/** Some wallets write the chain id in hex. */
const chainIn = (text: string): number | string => (/^(?:\d{1,15}|0x[\da-f]{1,13})$/i.test(text) ? Number(text) : text)

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a parameter says, as an amount. Without the parameter it is null; parameters that disagree are none. */
const amountIn = (given: readonly string[]): Pick<PastedAddress, 'unknown'> & { amount: bigint | null } => {
  const texts = [...new Set(given.filter(text => text !== ''))]
  const [text] = texts
  if (text === undefined) return { amount: null }
  // A plus sign means a space in a query.
  const amount = texts.length > 1 ? undefined : wholeNumber(text.trim().replace(' ', '+'))
  return amount === undefined ? { amount: null, unknown: { part: 'amount', value: texts.join(', ') } } : { amount }
}

const SELECTOR_LENGTH = '0x12345678'.length

/** The call that a link without a function asks for, in parameters that came before EIP-681. */
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
  // Line breaks and groups of digits divide what belongs together. Neither form has spaces of its own.
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
