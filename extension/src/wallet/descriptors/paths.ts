/** Paths in descriptors: `#.orders.[0].amount`, `@.value`, `params.path.[-20:]`. https://eips.ethereum.org/EIPS/eip-7730 */
import { encodeData, type Hex } from '@heliograph/shared/evm/hex'
import type { ValueView } from '../../messages.ts'
import type { Path, Step } from './descriptor.ts'

/** A value and the array indexes that the ranges of the path stood for. */
export type Found = { node: ValueView; at: readonly number[] }

const MAX_PATH = 200
const NAME = /^[A-Za-z_$][\w$]*$/
const INDEX = /^\[(-?\d{1,9})\]$/
const RANGE = /^\[(?:(-?\d{1,9})?:(-?\d{1,9})?)?\]$/
const WORD_DIGITS = 64

const numberOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits))

const parseStep = (text: string): Step | undefined => {
  if (NAME.test(text)) return text
  const index = INDEX.exec(text)?.[1]
  if (index !== undefined) return Number(index)
  const range = RANGE.exec(text)
  return range ? { from: numberOf(range[1]), to: numberOf(range[2]) } : undefined
}

/** Undefined for any other text, and for a path of over 200 characters. `base` is the group that a relative path starts from. */
export const parsePath = (text: string, base?: Path): Path | undefined => {
  if (text.length > MAX_PATH) return undefined
  const [, root, rest = ''] = /^(?:([#@])\.?)?(.*)$/.exec(text) ?? []
  const parts = rest.replace(/(?<=[\w$\]])\[/g, '.[').split('.')
  const steps = (rest === '' ? [] : parts).map(parseStep)
  if (!steps.every(step => step !== undefined)) return undefined
  if (root === '@') return { root, steps }
  const from = root === undefined && base ? base : { root: '#' as const, steps: [] }
  return { root: from.root, steps: [...from.steps, ...steps] }
}

const isArray = ({ type }: ValueView): boolean => type.endsWith(']')

/** The bytes of a value of a built-in type, integers as a word. Undefined for texts. */
const bytesOf = ({ type, value }: ValueView): Hex | undefined => {
  if (typeof value !== 'string') return undefined
  if (/^(?:bytes\d*|address)$/.test(type)) return value.toLowerCase() as Hex
  if (!/^u?int\d+$/.test(type)) return undefined
  return `0x${BigInt.asUintN(256, BigInt(value)).toString(16).padStart(WORD_DIGITS, '0')}`
}

const sliceBytes = (node: ValueView, from: number | undefined, to: number | undefined): ValueView[] => {
  const hex = bytesOf(node)
  if (hex === undefined) return []
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], byte => Number.parseInt(byte, 16))
  return [{ name: node.name, type: 'bytes', value: encodeData(bytes.slice(from, to)) }]
}

const below = (found: Found, step: Step, most: number): Found[] => {
  const { node, at } = found
  if (typeof step === 'object') {
    const [from, to] = [step.from ?? undefined, step.to ?? undefined]
    if (typeof node.value === 'string') return sliceBytes(node, from, to).map(sliced => ({ node: sliced, at }))
    if (!isArray(node)) return []
    const indexes = [...node.value.keys()].slice(from, to).slice(0, most)
    return indexes.flatMap(index => below({ node, at: [...at, index] }, index, most))
  }
  if (typeof node.value === 'string' || isArray(node) !== (typeof step === 'number')) return []
  const child = typeof step === 'number' ? node.value.at(step) : node.value.find(({ name }) => name === step)
  return child ? [{ node: child, at }] : []
}

/** The values that a path leads to, at most `most`. Several only if it has a range over an array. */
export const select = (node: ValueView, steps: readonly Step[], most: number): readonly Found[] =>
  steps.reduce<readonly Found[]>(
    (found, step) => {
      const next: Found[] = []
      for (const one of found) {
        if (next.length >= most) break
        next.push(...below(one, step, most))
      }
      return next.slice(0, most)
    },
    [{ node, at: [] }],
  )

/** The path of a parameter, with the indexes of the value that it belongs to instead of its open ranges. */
export const bindSteps = (steps: readonly Step[], at: readonly number[]): Step[] => {
  const indexes = [...at]
  return steps.map(step =>
    typeof step === 'object' && step.from === null && step.to === null ? (indexes.shift() ?? step) : step,
  )
}
