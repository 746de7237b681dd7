/**
 * Copies the logs of a data folder, even while a server writes to them.
 *
 * A log is append-only: once there is a next file, a file no longer changes. The oldest file
 * is removed first, after its live records were appended to the newest file. Up to the last complete record, the copied files are therefore the same as if
 * the server had been killed at this moment.
 *
 * All files are opened before the first one is copied, because an open file can be read after the server has removed
 * it. If the oldest file can be opened after all files were listed, its live records were not moved past the end of the
 * list.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { recordsIn } from './record.ts'
import { FILE_HEAD_BYTES, logsIn, readFileHead, segmentNumbers, segmentPath } from './segment-files.ts'

/**
 * Maximum number of attempts to open all files of a log before the server removes a file. An attempt takes
 * milliseconds.
 */
const ATTEMPTS = 100
const OWNER_ONLY = 0o600

type Opened = { number: number; file: number }

const isGone = (thrown: unknown): boolean => thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'

const closeAll = (opened: readonly Opened[]): void => {
  for (const { file } of opened) closeSync(file)
}

/** Opens all files of a log, oldest first. Returns undefined if one was removed meanwhile. */
const tryOpen = (folder: string, name: string): Opened[] | undefined => {
  const [oldest] = segmentNumbers(folder, name)
  // While a folder is listed, the server can remove a file before it is listed, and move its records to a file that is
  // not listed. The list is complete if the oldest file is still the same.
  const numbers = segmentNumbers(folder, name)
  if (numbers[0] !== oldest) return undefined
  const opened: Opened[] = []
  try {
    for (const number of numbers) opened.push({ number, file: openSync(segmentPath(folder, name, number), 'r') })
    return opened
  } catch (thrown) {
    closeAll(opened)
    if (isGone(thrown)) return undefined
    throw thrown
  }
}

const openAll = (folder: string, name: string): Opened[] => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const opened = tryOpen(folder, name)
    if (opened) return opened
  }
  throw new Error(`the server removed files of ${folder} in each of ${ATTEMPTS} attempts to open them all: try again`)
}

/** Returns the end of the last complete record. The server may still be writing the bytes after it. */
const completeEnd = (bytes: Buffer, number: number): number => {
  let end = FILE_HEAD_BYTES
  for (const found of recordsIn(bytes, number, FILE_HEAD_BYTES, bytes.length))
    if (found.kind !== undefined) end = found.end
  return end
}

/** Writes a new file, readable by its owner only, and syncs it. Throws the system's error. */
export const writeDurably = (path: string, bytes: Uint8Array): void => {
  const file = openSync(path, 'wx', OWNER_ONLY)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Syncs a folder, so that new file names in it are durable. */
export const syncFolder = (folder: string): void => {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const copyLog = (folder: string, name: string, target: string): number => {
  const opened = openAll(folder, name)
  let copied = 0
  try {
    for (const { number, file } of opened) {
      const bytes = readFileSync(file)
      // Throws if another version of the program has written the file.
      readFileHead(bytes, segmentPath(folder, name, number))
      const isNewest = number === opened.at(-1)?.number
      // The server has only begun to write this newest file, so the file has no records yet.
      if (isNewest && bytes.length < FILE_HEAD_BYTES) continue
      const complete = isNewest ? bytes.subarray(0, completeEnd(bytes, number)) : bytes
      writeDurably(segmentPath(target, name, number), complete)
      copied += complete.length
    }
    return copied
  } finally {
    closeAll(opened)
  }
}

/**
 * Copies all logs of a data folder to an existing folder, with at least the records that were durable before the call.
 * Returns the number of bytes. Throws the system's error, or an error for the operator if a file has another format.
 */
export const copyLogs = (folder: string, target: string): number =>
  logsIn(folder).reduce((bytes, name) => bytes + copyLog(folder, name, target), 0)

/** True if a folder has a log. */
export const hasLogs = (folder: string): boolean => logsIn(folder).length > 0
