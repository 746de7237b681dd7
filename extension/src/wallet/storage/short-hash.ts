/** Short hashes under which messages and topics are stored, so they cannot be read. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Bytes of the hash that are kept. Half of a SHA-256 is enough to identify messages. */
const HASH_BYTES = 16

/** Returns the hash in lower-case hex. */
export const shortHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)).slice(0, HASH_BYTES))
