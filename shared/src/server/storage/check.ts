/**
 * Checks and repairs the store of a stopped server. A repair copies damaged bytes to `<file>.<offset>.damaged` and
 * replaces them with an empty note. The damaged records stay lost, but a repaired store is no longer reported as
 * damaged.
 */
import {
  closeSync,
  fchownSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { takeFolder } from '../process/folder-lock.ts'
import { createLossTracker, type Damage, describeDamage } from './damage.ts'
import { HEAD_BYTES, NOTE, type Payload, recordsIn, writeHead } from './record.ts'
import { isOnRedis } from './redis-mark.ts'
import {
  FILE_HEAD_BYTES,
  fileHead,
  headDamages,
  logsIn,
  segmentNumbers,
  segmentPath,
  writtenLength,
} from './segment-files.ts'

/** Kind of the note that replaces damaged bytes. */
const NOTHING = NOTE | 0x7f
const OWNER_ONLY = 0o600
const ON_REDIS = 'the server of this folder stores in Redis: its messages and webhooks are there, not in these files\n'

/** Returns the number of a record, in logs whose records are numbered in ascending order. */
export type NumberOf = (log: string, kind: number, payload: Payload) => number | undefined

export type CheckResult = {
  files: number
  records: number
  damages: readonly Damage[]
  /** Descriptions of the missing numbers. */
  losses: readonly string[]
}

const describeLoss = (log: string, after: number, before: number | undefined): string => {
  if (before === undefined) return `${log}: any records after number ${after}`
  return before === after + 2 ? `${log}: number ${after + 1}` : `${log}: numbers ${after + 1} to ${before - 1}`
}

type File = { number: number; path: string; length: number }

/** Reads all files of all logs and calls `onFile` with each file's damage. Throws if a file has another format. */
const inspect = (
  folder: string,
  numberOf: NumberOf,
  onFile: (file: File, bytes: Buffer, damages: readonly Damage[], before: File | undefined) => void,
): CheckResult => {
  const all: Damage[] = []
  const losses: string[] = []
  let [files, records] = [0, 0]
  for (const name of logsIn(folder)) {
    const tracker = createLossTracker((after, before) => losses.push(describeLoss(name, after, before)))
    let before: File | undefined
    const readFile = (number: number) => {
      const path = segmentPath(folder, name, number)
      const bytes = readFileSync(path)
      return { number, path, length: bytes.length, bytes }
    }
    const numbers = segmentNumbers(folder, name)
    for (const [index, number] of numbers.entries()) {
      const { bytes, ...file } = readFile(number)
      const { path } = file
      const next = numbers[index + 1]
      const written = writtenLength(file, next === undefined ? undefined : readFile(next))
      const damages = headDamages(file, bytes, before, folder, name)
      if (damages.length > 0) tracker.damaged()
      for (const { kind, at, end } of recordsIn(bytes, number, FILE_HEAD_BYTES, written)) {
        if (kind === undefined) {
          damages.push({ path, at, bytes: end - at, reason: 'no valid record is there' })
          tracker.damaged()
          continue
        }
        records += 1
        const found = numberOf(name, kind, { bytes, start: at + HEAD_BYTES, end })
        if (found !== undefined) tracker.read(found)
      }
      files += 1
      all.push(...damages)
      onFile(file, bytes, damages, before)
      before = file
    }
    tracker.end()
  }
  return { files, records, damages: all, losses }
}

/** Error codes of a process that may not change the owner of a file. */
const KEEPS_OWNER = new Set(['EPERM', 'EINVAL'])

/** Gives a file to the owner of its folder, so that the service can read what a repair by root has written. */
const giveToOwner = (file: number, folder: string): void => {
  const { uid, gid } = statSync(folder)
  try {
    fchownSync(file, uid, gid)
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && KEEPS_OWNER.has(String(thrown.code)))) throw thrown
  }
}

/** Replaces a file, without following a symbolic link. */
const putNew = (folder: string, name: string, bytes: Buffer): void => {
  const path = join(folder, name)
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', OWNER_ONLY)
  try {
    writeFileSync(file, bytes)
    giveToOwner(file, folder)
  } finally {
    closeSync(file)
  }
}

const put = (path: string, bytes: Buffer, at: number): void => {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, bytes, 0, bytes.length, at)
  } finally {
    closeSync(file)
  }
}

/** Returns an empty note of at least that length. */
const nothing = (length: number, file: number, offset: number): Buffer => {
  const bytes = Buffer.alloc(Math.max(length, HEAD_BYTES))
  writeHead(bytes, 0, { kind: NOTHING, length: bytes.length - HEAD_BYTES, file, offset })
  return bytes
}

/** Checks a data directory. */
export const checkFolder = (folder: string, numberOf: NumberOf = () => undefined): CheckResult =>
  inspect(folder, numberOf, () => undefined)

/** Repairs a data directory. Returns the damage found. Throws before the first change if a file has another format. */
const repairFolder = (folder: string, numberOf: NumberOf = () => undefined): CheckResult => {
  checkFolder(folder)
  return inspect(folder, numberOf, ({ number, path }, bytes, damages, before) => {
    if (damages.length === 0) return
    for (const damage of damages) {
      if (damage.path !== path) {
        const missing = Number(/-(\d+)\.log$/.exec(damage.path)?.[1])
        if (damage.bytes === 0) putNew(folder, basename(damage.path), fileHead(missing, 0))
        continue
      }
      const aside = bytes.subarray(damage.at, damage.at + damage.bytes)
      putNew(folder, `${basename(path)}.${damage.at}.damaged`, aside)
      if (damage.at >= FILE_HEAD_BYTES) put(path, nothing(damage.bytes, number, damage.at), damage.at)
    }
    // A file's head contains the length of the previous file.
    const isNext = before?.number === number - 1
    put(path, fileHead(number, isNext ? before.length : 0), 0)
  })
}

/** Returns lines for the operator: each damage and loss, and the totals. */
const report = ({ files, records, damages, losses }: CheckResult): string => {
  const lines = damages.map(damage => `damaged: ${describeDamage(damage)}`)
  const lost = losses.map(loss => `lost: ${loss}`)
  const bytes = damages.reduce((sum, damage) => sum + damage.bytes, 0)
  const total = `${files} files, ${records} valid records, ${damages.length} damaged places, ${bytes} bytes lost`
  return [...lines, ...lost, total, ''].join('\n')
}

/**
 * Runs `--check <folder>` or `--repair <folder>`. Prints the result and returns the exit code: 0 if the store is intact
 * or repaired, 1 if it is damaged, 2 if it cannot be read.
 */
export const runCheck = async ([command, folder]: readonly string[], numberOf?: NumberOf): Promise<number> => {
  try {
    if (folder === undefined) throw new Error(`${command} requires the data directory: ${command} .data/relay`)
    readdirSync(folder)
    const giveFolder = await takeFolder(folder)
    const result = (command === '--repair' ? repairFolder : checkFolder)(folder, numberOf)
    giveFolder()
    process.stdout.write(report(result))
    if (isOnRedis(folder)) process.stdout.write(ON_REDIS)
    return command === '--check' && result.damages.length > 0 ? 1 : 0
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n`)
    return 2
  }
}
