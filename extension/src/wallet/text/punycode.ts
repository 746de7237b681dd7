/** Decodes Punycode host names into Unicode: https://www.rfc-editor.org/rfc/rfc3492 */

const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_CODE = 128
const MAX_CODE = 0x10ffff

const digitOf = (char: string): number => {
  if (/^[a-z]$/i.test(char)) return char.toLowerCase().charCodeAt(0) - 97
  return /^\d$/.test(char) ? Number(char) + 26 : BASE
}

const adapt = (delta: number, count: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / count)
  let steps = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; steps += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return steps + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** Decodes a label without its `xn--` prefix; undefined if it is invalid. */
const decode = (encoded: string): string | undefined => {
  const end = encoded.lastIndexOf('-')
  const output = [...encoded.slice(0, Math.max(end, 0))].map(char => char.codePointAt(0) ?? 0)
  const digits = [...encoded.slice(end + 1)].map(digitOf)
  let code = INITIAL_CODE
  let bias = INITIAL_BIAS
  let place = 0
  for (let at = 0; at < digits.length; ) {
    const before = place
    let weight = 1
    for (let step = BASE; ; step += BASE) {
      const digit = digits[at++] ?? BASE
      if (digit >= BASE) return undefined
      place += digit * weight
      const threshold = Math.min(Math.max(step - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    bias = adapt(place - before, output.length + 1, before === 0)
    code += Math.floor(place / (output.length + 1))
    place %= output.length + 1
    if (!(code <= MAX_CODE)) return undefined
    output.splice(place++, 0, code)
  }
  return String.fromCodePoint(...output)
}

const PREFIX = 'xn--'

/** Decodes all Punycode labels in a host. Invalid labels stay unchanged. */
export const readableHost = (host: string): string =>
  host
    .split('.')
    .map(label => (label.startsWith(PREFIX) ? (decode(label.slice(PREFIX.length)) ?? label) : label))
    .join('.')
