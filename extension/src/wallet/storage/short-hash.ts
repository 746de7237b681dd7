/** Short hashes, under which messages and topics are stored without being readable. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Half of a SHA-256 is enough to identify messages. */
const HASH_BYTES = 16

/** The hash in lowercase hex. */
export const shortHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)).slice(0, HASH_BYTES))
