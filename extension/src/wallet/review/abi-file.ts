/**
 * Finds the entries of an ABI in what people have: a JSON ABI, an artifact or the whole output of a compiler, an answer of a block
 * explorer, a human-readable ABI, an interface in Solidity.
 */
import { replaceInvisible } from '@heliograph/shared/pasted/plain'
import { fail } from '../text/errors.ts'
import { declarationsIn, type Members } from './abi-text.ts'

/** Maximum characters. Artifacts with sources and bytecode have some millions. */
export const MAX_ABI_SIZE = 8 << 20
/** Nesting of files in files: the text of an ABI may be a string in JSON. */
const MAX_NESTING = 8

/** Members that contain an ABI. The first that is there counts. */
const HOLDERS = ['abi', 'ABI', 'interface', 'jsonInterface', 'result', 'output']

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const heldIn = (file: Members): unknown =>
  HOLDERS.map(name => file[name]).find(held => held !== undefined && held !== null)

/** The contracts of a compiler's output, by their name or by their file and name. */
const contractsIn = (file: Members): readonly unknown[] =>
  isMembers(file.contracts)
    ? Object.values(file.contracts).flatMap(one =>
        isMembers(one) && heldIn(one) === undefined ? Object.values(one) : [one],
      )
    : []

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const entriesIn = (value: unknown, nesting: number): readonly unknown[] => {
  if (nesting > MAX_NESTING || value === null) return []
  const inside = (one: unknown) => entriesIn(one, nesting + 1)
  if (Array.isArray(value)) return value.flatMap(inside)
  if (typeof value === 'string') {
    const json = parseJson(value)
    return json === undefined ? declarationsIn(value) : inside(json)
  }
  if (!isMembers(value)) return [value]
  const held = heldIn(value)
  if (held !== undefined) return inside(held)
  return 'contracts' in value ? contractsIn(value).flatMap(inside) : [value]
}

const isEntry = (value: unknown): boolean =>
  typeof value === 'string' || (isMembers(value) && (value.type !== undefined || value.name !== undefined))

/** The entries of an ABI, each still unchecked. Throws a ValueError for text that is too long or has none. */
export const abiEntries = (text: string): readonly unknown[] => {
  if (text.length > MAX_ABI_SIZE) return fail('abi', text, 'textTooLong', { limit: MAX_ABI_SIZE })
  const plain = replaceInvisible(text, '').trim()
  const json = parseJson(plain)
  if (json === undefined) {
    const declared = declarationsIn(plain)
    return declared.some(isMembers) ? declared : fail('abi', text, 'notJson')
  }
  const entries = entriesIn(json, 0)
  return Array.isArray(json) || entries.some(isEntry) ? entries : fail('abi', json, 'notAbi')
}
