/**
 * Finds a contract's ABI in the files and texts that users have: a JSON ABI, an artifact or a compiler's whole output,
 * a block explorer's response, a human-readable ABI, or a Solidity interface.
 */
import { replaceInvisible } from '@heliograph/shared/pasted/plain'
import { fail } from '../text/errors.ts'
import { declarationsIn, type Members } from './abi-text.ts'

/** Maximum characters of a file. Artifacts with sources and bytecode have several million. */
export const MAX_ABI_SIZE = 8 << 20
/** Maximum nesting of files in files: a JSON string can contain an ABI's text. */
const MAX_NESTING = 8

/** Members that can contain an ABI. The first one present is used. */
const HOLDERS = ['abi', 'ABI', 'interface', 'jsonInterface', 'result', 'output']

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const heldIn = (file: Members): unknown =>
  HOLDERS.map(name => file[name]).find(held => held !== undefined && held !== null)

/** Returns the contracts in a compiler's output, which are keyed by name, or by file and name. */
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

/** Returns an ABI's entries, which are not validated yet. Throws a ValueError if the text is too long or has none. */
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
