/** Detects the format of another wallet's exported file and reads it. */
import { looksLikePhrase } from '@heliograph/shared/pasted/looks-like-phrase'
import { type Export, type ExportProblem, MAX_ENTRIES, MAX_FILE, MAX_LINE } from './export.ts'
import { readAddresses, readJsonList, readKeys } from './lists.ts'
import { readMetaMask } from './metamask.ts'

/** Returns the parsed value, or undefined if the text is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * True for a version 3 keystore: https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage
 */
const isKeystore = (json: Record<string, unknown>): boolean => isObject(json.crypto) || isObject(json.Crypto)

const bounded = (read: Export): Export | ExportProblem => {
  if (read.entries.length > MAX_ENTRIES) return 'tooMany'
  return read.entries.length === 0 ? 'unknownForm' : read
}

/** Returns the entries of a text, or why there are none. `read` is the reader for its format. */
const readWith = (read: (text: string) => Export, text: string): Export | ExportProblem => {
  if (text.length > MAX_FILE) return 'tooLarge'
  if (text.length <= MAX_LINE && looksLikePhrase(text)) return 'phrase'
  return bounded(read(text))
}

/** How a backup file of this wallet begins. Only the background opens it. */
const BACKUP = /^\ufeff?\s*\{\s*"heliograph"\s*:\s*"backup"/

/**
 * Reads a MetaMask or Rainbow file, a JSON list, or a list of addresses or private keys. Recognizes a backup of this wallet,
 * also an incomplete one.
 */
export const readFile = (text: string): Export | ExportProblem | 'backup' => {
  if (BACKUP.test(text)) return 'backup'
  if (text.length > MAX_FILE) return 'tooLarge'
  const plain = text.replace(/^\ufeff/, '')
  const json = parseJson(plain)
  if (isObject(json)) {
    if (isKeystore(json)) return 'keystore'
    const read = Array.isArray(json) ? readJsonList(json) : readMetaMask(json)
    return read ? bounded(read) : 'unknownForm'
  }
  const addresses = readWith(readAddresses, plain)
  return addresses === 'unknownForm' ? readWith(readKeys, plain) : addresses
}

export const readAddressList = (text: string): Export | ExportProblem => readWith(readAddresses, text)

export const readKeyList = (text: string): Export | ExportProblem => readWith(readKeys, text)
