/** Paths in descriptors: `#.orders.[0].amount`, `@.value`, `params.path.[-20:]`. https://eips.ethereum.org/EIPS/eip-7730 */
import { encodeData, type Hex } from '@heliograph/shared/evm/hex'
import type { ValueView } from '../../messages.ts'
import type { Path, Step } from './descriptor.ts'

/** A value, and the array indexes that were chosen for the ranges in its path. */
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

/**
 * Parses a path. Undefined for other texts and for paths over 200 characters. A relative path starts at the group
 * `base`.
 */
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

/** Returns the bytes of a value with a built-in type, integers as a 32-byte word. Undefined for texts. */
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

/** Returns up to `most` values to which a path leads. Only a range over an array leads to several. */
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

/** Replaces the open ranges in a parameter's path with the indexes of the value to which the parameter belongs. */
export const bindSteps = (steps: readonly Step[], at: readonly number[]): Step[] => {
  const indexes = [...at]
  return steps.map(step =>
    typeof step === 'object' && step.from === null && step.to === null ? (indexes.shift() ?? step) : step,
  )
}
