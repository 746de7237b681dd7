/**
 * A reference reader of JSON-RPC frames: a plain recursive-descent parser of JSON (RFC 8259) that keeps the source text
 * of every value. It is slow and shares no code with the decoders under test.
 */
import { isUtf8 } from 'node:buffer'
import { defaultRpcLimits } from '@heliograph/shared/wire/json-rpc'

/** A value with its source text. */
type Node = { raw: string } & (
  | { kind: 'object'; members: readonly [name: string, value: Node][] }
  | { kind: 'array'; items: readonly Node[] }
  | { kind: 'string'; value: string }
  | { kind: 'number' | 'true' | 'false' | 'null' }
)

/** Expected result for a frame. `id` is undefined if the frame has no id, and `null` if the id cannot be read. */
export type Verdict = { kind: 'request' | 'response' | 'invalid'; id: string | undefined }
/** Expected result for a text: one frame or a batch. */
export type Verdicts = { isBatch: boolean; frames: readonly Verdict[] }

class NotJson extends Error {}

const WHITESPACE = ' \t\n\r'
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const parse = (text: string): Node => {
  let at = 0
  const skip = (): void => {
    while (at < text.length && WHITESPACE.includes(text.charAt(at))) at++
  }
  const expect = (word: string): void => {
    if (!text.startsWith(word, at)) throw new NotJson()
    at += word.length
  }
  /** Reads items separated by commas, up to the closing bracket. */
  const list = (open: string, close: string, item: () => void): void => {
    expect(open)
    skip()
    if (text[at] !== close) {
      for (item(); text[at] === ','; item()) at++
    }
    expect(close)
  }
  const escaped = (): string => {
    const letter = text.charAt(at++)
    if (letter !== 'u') return ESCAPES[letter] ?? fail()
    const digits = text.slice(at, at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new NotJson()
    at += 4
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
  const string = (): string => {
    let value = ''
    expect('"')
    for (let char = text.charAt(at++); char !== '"'; char = text.charAt(at++)) {
      if (char < ' ') throw new NotJson()
      value += char === '\\' ? escaped() : char
    }
    return value
  }
  const content = () => {
    const char = text[at]
    if (char === '{') {
      const members: [string, Node][] = []
      list('{', '}', () => {
        skip()
        const name = string()
        skip()
        expect(':')
        members.push([name, node()])
      })
      return { kind: 'object', members } as const
    }
    if (char === '[') {
      const items: Node[] = []
      list('[', ']', () => items.push(node()))
      return { kind: 'array', items } as const
    }
    if (char === '"') return { kind: 'string', value: string() } as const
    for (const kind of ['true', 'false', 'null'] as const) {
      if (!text.startsWith(kind, at)) continue
      at += kind.length
      return { kind }
    }
    NUMBER.lastIndex = at
    expect(NUMBER.exec(text)?.[0] || fail())
    return { kind: 'number' } as const
  }
  /** Reads a value and the whitespace around it. */
  const node = (): Node => {
    skip()
    const start = at
    const found = content()
    const raw = text.slice(start, at)
    skip()
    return { ...found, raw }
  }
  const whole = node()
  if (at < text.length) throw new NotJson()
  return whole
}

const fail = (): never => {
  throw new NotJson()
}

const depthOf = (node: Node): number => {
  if (node.kind === 'object') return 1 + Math.max(0, ...node.members.map(([, value]) => depthOf(value)))
  return node.kind === 'array' ? 1 + Math.max(0, ...node.items.map(depthOf)) : 0
}

const invalid = (id = 'null'): Verdict => ({ kind: 'invalid', id })

const isError = (node: Node): boolean => {
  if (node.kind !== 'object') return false
  const last = (name: string) => node.members.findLast(([found]) => found === name)?.[1]
  const code = last('code')
  return code?.kind === 'number' && Number.isInteger(Number(code.raw)) && last('message')?.kind === 'string'
}

const judgeFrame = (frame: Node): Verdict => {
  if (frame.kind !== 'object') return invalid()
  const all = (name: string) => frame.members.flatMap(([found, value]) => (found === name ? value : []))
  const [ids, [method], [params], [result], [error]] = [
    all('id'),
    all('method'),
    all('params'),
    all('result'),
    all('error'),
  ]
  if (ids.length > 1 || ids.some(({ kind }) => !['string', 'number', 'null'].includes(kind))) return invalid()
  const id = ids[0]?.raw
  const [version] = all('jsonrpc')
  const isDouble = new Set(frame.members.map(([name]) => name)).size < frame.members.length
  if (isDouble || version?.kind !== 'string' || version.value !== '2.0') return invalid(id)
  if (method) {
    const isCall = method.kind === 'string' && (!params || params.kind === 'object' || params.kind === 'array')
    return isCall ? { kind: 'request', id } : invalid(id)
  }
  const isAnswer = (result ? !error : error && isError(error)) && id !== undefined
  return isAnswer ? { kind: 'response', id } : invalid(id)
}

const one = (verdict: Verdict): Verdicts => ({ isBatch: false, frames: [verdict] })

/** Returns the expected result for a text, within the default limits. Never throws. */
export const judge = (bytes: Uint8Array): Verdicts => {
  const whole = isUtf8(bytes) ? parseOrNothing(Buffer.from(bytes).toString('utf8')) : undefined
  if (!whole || depthOf(whole) > defaultRpcLimits.depth) return one(invalid())
  if (whole.kind !== 'array') return one(judgeFrame(whole))
  if (whole.items.length === 0 || whole.items.length > defaultRpcLimits.batch) return one(invalid())
  return { isBatch: true, frames: whole.items.map(judgeFrame) }
}

const parseOrNothing = (text: string): Node | undefined => {
  try {
    return parse(text)
  } catch (thrown) {
    if (thrown instanceof NotJson) return undefined
    throw thrown
  }
}
