/**
 * The origin of a session in the wallet. No site or other session can have it. It is a hash of the topic, because some
 * of the stored data about requests is not encrypted.
 */
import { shortHash } from '../storage/short-hash.ts'

const SCHEME = 'wc:'

export const originOf = (topic: string): string => `${SCHEME}${shortHash(topic)}`

/** True if the origin is that of a session. */
export const isRemote = (origin: string): boolean => origin.startsWith(SCHEME)
