/**
 * The files of a log: `messages-000001.log`, … without gaps. Each starts with a head of 24 bytes: "HELIOLOG", the format
 * version, its number, the length of the previous file (0 for the first), and the CRC-32 of these 20
 * bytes. All numbers are little-endian, 32 bits each.
 */
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
  writevSync,
} from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Damage } from './damage.ts'

const FORMAT = 1
/** Length of the file head. */
export const FILE_HEAD_BYTES = 24

const MAGIC = Buffer.from('HELIOLOG')
const FORMAT_AT = 8
const NUMBER_AT = 12
const BEFORE_AT = 16
const CRC_AT = 20
const DIGITS = 6
const OWNER_ONLY = 0o600
/** Maximum number of open files. */
const MAX_OPEN = 64

/** A file of a log. `length` is its size, `live` the bytes of its live records. */
export type Segment = { readonly number: number; readonly path: string; length: number; live: number }

export const segmentPath = (folder: string, name: string, number: number): string =>
  join(folder, `${name}-${String(number).padStart(DIGITS, '0')}.log`)

/** Returns the file numbers of a log in a directory, in order. */
export const segmentNumbers = (folder: string, name: string): number[] =>
  readdirSync(folder)
    .flatMap(file => new RegExp(`^${name}-(\\d{${DIGITS},})\\.log$`).exec(file)?.slice(1).map(Number) ?? [])
    .sort((a, b) => a - b)

/** Returns the names of the logs in a directory. */
export const logsIn = (folder: string): string[] => [
  ...new Set(readdirSync(folder).flatMap(file => /^([a-z]+)-\d{6,}\.log$/.exec(file)?.[1] ?? [])),
]

export const fileHead = (number: number, lengthBefore: number, format = FORMAT): Buffer => {
  const head = Buffer.alloc(FILE_HEAD_BYTES)
  MAGIC.copy(head)
  head.writeUInt32LE(format, FORMAT_AT)
  head.writeUInt32LE(number, NUMBER_AT)
  head.writeUInt32LE(lengthBefore, BEFORE_AT)
  head.writeUInt32LE(crc32(head.subarray(0, CRC_AT)), CRC_AT)
  return head
}

/**
 * Decodes a file head. Returns undefined if it is damaged. Throws an error for the operator if the file has
 * another format.
 */
export const readFileHead = (bytes: Buffer, path: string): { number: number; lengthBefore: number } | undefined => {
  const isWhole = bytes.length >= FILE_HEAD_BYTES && bytes.readUInt32LE(CRC_AT) === crc32(bytes.subarray(0, CRC_AT))
  if (!isWhole || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return undefined
  const format = bytes.readUInt32LE(FORMAT_AT)
  if (format !== FORMAT)
    throw new Error(
      `${path} has format ${format} and this version reads format ${FORMAT}: start the version that wrote it, or use another data folder`,
    )
  return { number: bytes.readUInt32LE(NUMBER_AT), lengthBefore: bytes.readUInt32LE(BEFORE_AT) }
}

/** The file data needed to compare heads. */
type Known = { number: number; path: string; length: number }

/**
 * Returns the number of bytes that were written to a file, which the next file's head contains. Without a next file,
 * returns the file's length, because a kill may have interrupted the last write. Returns infinity if the next head is
 * damaged or missing.
 */
export const writtenLength = ({ number, length }: Known, next: (Known & { bytes: Buffer }) | undefined): number => {
  if (!next) return length
  const head = next.number === number + 1 ? readFileHead(next.bytes, next.path) : undefined
  return head ? Math.max(length, head.lengthBefore) : Number.POSITIVE_INFINITY
}

/**
 * Returns the damage of a file's head, and missing bytes or files before it. `bytes` are the first bytes of the file.
 * Throws like `readFileHead`.
 */
export const headDamages = (
  file: Known,
  bytes: Buffer,
  before: Known | undefined,
  folder: string,
  name: string,
): Damage[] => {
  const { number, path } = file
  const head = readFileHead(bytes, path)
  const damages: Damage[] = []
  for (let missing = (before?.number ?? number - 1) + 1; missing < number; missing++)
    damages.push({ path: segmentPath(folder, name, missing), at: 0, bytes: 0, reason: 'it is missing' })
  if (damages.length === 0 && before && head && head.lengthBefore > before.length) {
    const bytesMissing = head.lengthBefore - before.length
    damages.push({ path: before.path, at: before.length, bytes: bytesMissing, reason: 'its end is missing' })
  }
  if (!head)
    damages.push({ path, at: 0, bytes: Math.min(bytes.length, FILE_HEAD_BYTES), reason: 'its head is damaged' })
  return damages
}

/** Writes all parts at an offset, with as many calls as needed. Throws the system's error. */
const writeAll = (file: number, parts: readonly Uint8Array[], start: number): void => {
  let left = parts
  for (let at = start; left.length > 0; ) {
    let written = writevSync(file, left, at)
    if (written === 0) throw new Error('the disk accepted no bytes')
    at += written
    while (left[0] && written >= left[0].length) {
      written -= left[0].length
      left = left.slice(1)
    }
    if (left[0] && written > 0) left = [left[0].subarray(written), ...left.slice(1)]
  }
}

export type SegmentFiles = ReturnType<typeof openSegmentFiles>

/** Reads and writes segment files, which are opened on demand. */
export const openSegmentFiles = (folder: string) => {
  /** Descriptors of open files, in the order of opening. */
  const descriptors = new Map<Segment, number>()

  const close = (segment: Segment): void => {
    const descriptor = descriptors.get(segment)
    if (descriptor === undefined) return
    descriptors.delete(segment)
    closeSync(descriptor)
  }

  const descriptorOf = (segment: Segment): number => {
    const known = descriptors.get(segment)
    if (known !== undefined) return known
    const [oldest] = descriptors.keys()
    if (oldest && descriptors.size >= MAX_OPEN) close(oldest)
    const descriptor = openSync(segment.path, segment.length === 0 ? 'w+' : 'r+', OWNER_ONLY)
    descriptors.set(segment, descriptor)
    return descriptor
  }

  const syncFile = async (path: string): Promise<void> => {
    const file = await open(path, 'r+')
    try {
      await file.datasync()
    } finally {
      await file.close()
    }
  }

  return {
    /** Appends bytes to a file. On failure, restores the file and throws the system's error. */
    write: (segment: Segment, parts: readonly Uint8Array[]): void => {
      const descriptor = descriptorOf(segment)
      try {
        writeAll(descriptor, parts, segment.length)
      } catch (refused) {
        ftruncateSync(descriptor, segment.length)
        throw refused
      }
    },
    /** Reads from an offset into `bytes`. Returns the number of bytes read. */
    read: (segment: Segment, bytes: Buffer, offset: number): number =>
      readSync(descriptorOf(segment), bytes, 0, bytes.length, offset),
    /** Truncates a file and moves the cut bytes to a separate file. Throws the system's error. */
    cut: (segment: Segment, at: number, end: Buffer): void => {
      writeFileSync(`${segment.path}.${at}.damaged`, end, { mode: OWNER_ONLY })
      const descriptor = descriptorOf(segment)
      ftruncateSync(descriptor, at)
      fsyncSync(descriptor)
    },
    readWhole: (segment: Segment): Buffer => readFileSync(segment.path),
    /** Syncs files, ignoring those that were removed. */
    sync: async (segments: Iterable<Segment>): Promise<void> => {
      for (const { path } of segments)
        await syncFile(path).catch(thrown => {
          if (thrown.code !== 'ENOENT') throw thrown
        })
      const opened = openSync(folder, 'r')
      try {
        fsyncSync(opened)
      } finally {
        closeSync(opened)
      }
    },
    remove: async (segment: Segment): Promise<void> => {
      close(segment)
      await rm(segment.path, { force: true })
    },
    close: (): void => {
      for (const segment of [...descriptors.keys()]) close(segment)
    },
  }
}
