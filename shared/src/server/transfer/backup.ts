/** The command `--backup <folder>`, which copies the data folder of a running or stopped server. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Config, type Row, type Rows, readConfig, type Sources, settingOf } from '../process/config.ts'
import { copyLogs, hasLogs, syncFolder, writeDurably } from '../storage/backup.ts'
import { type CheckResult, checkFolder, type NumberOf } from '../storage/check.ts'
import { describeDamage } from '../storage/damage.ts'
import { reasonOf } from '../storage/disk-room.ts'
import { isOnRedis } from '../storage/redis-mark.ts'
import { KEY_FILE } from '../webhooks/signing-key.ts'
import { refuseMoved } from './folder-mark.ts'

/** Rows of both servers that a backup needs. */
type BackupRows = Rows & { dataDir: Row<string>; redisUrl: Row<readonly string[]> }

/** The kind of server: prefix of its variables (RELAY), its name (relay) and its settings. */
type Kind<R extends Rows> = { prefix: string; name: string; rows: R; numberOf?: NumberOf }

const COMMAND = '--backup'

/** Makes the error for a server that stores in Redis. `reason` says which server it is. */
const onRedis = (reason: string): Error =>
  new Error(`${reason}: back up Redis itself, or use --export while no server runs`)

/**
 * Rejects a folder with neither a log nor a key. A server makes its key before it
 * listens, and a log with the first write.
 */
const refuseSource = (folder: string, name: string): void => {
  if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`)
  refuseMoved(folder)
  if (isOnRedis(folder)) throw onRedis(`the ${name} of ${folder} stores in Redis`)
  if (!hasLogs(folder) && !existsSync(join(folder, KEY_FILE)))
    throw new Error(`${folder} is not the data folder of a server: it has neither a store nor a key`)
}

/** Reasons why a target cannot be replaced, by the system's error code. */
const OBSTACLES: Readonly<Record<string, string>> = {
  ENOTEMPTY: 'is not empty: a backup needs a new or empty folder',
  ENOTDIR: 'is a file or a symbolic link: name a new folder',
  EBUSY: 'is a mount point, which a backup cannot replace: name a new folder in it',
}

/**
 * Removes an empty target folder, which the copy replaces. Throws an error for the
 * operator if the target is anything else.
 */
const clearTarget = (target: string): void => {
  const parent = dirname(resolve(target))
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`there is no folder ${parent}`)
  try {
    rmdirSync(resolve(target))
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    if (code !== 'ENOENT') throw new Error(`${target} ${OBSTACLES[code] ?? `cannot be replaced: ${reasonOf(thrown)}`}`)
  }
}

type Copied = { bytes: number; check: CheckResult }

const copyTo = (folder: string, target: string, numberOf: NumberOf | undefined): Copied => {
  const bytes = copyLogs(folder, target)
  const key = join(folder, KEY_FILE)
  if (existsSync(key)) writeDurably(join(target, KEY_FILE), readFileSync(key))
  syncFolder(target)
  return { bytes, check: checkFolder(target, numberOf) }
}

/** Copies under a temporary name and renames the result, so that an interrupted backup is never mistaken for a complete one. */
const copyAtomically = (folder: string, target: string, numberOf: NumberOf | undefined): Copied => {
  let draft: string | undefined
  try {
    draft = mkdtempSync(`${resolve(target)}.unfinished-`)
    const copied = copyTo(folder, draft, numberOf)
    renameSync(draft, target)
    syncFolder(dirname(resolve(target)))
    return copied
  } catch (thrown) {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true })
    throw new Error(`the backup of ${folder} in ${target} failed: ${reasonOf(thrown)}`)
  }
}

const backUp = <R extends BackupRows>(kind: Kind<R>, { args: [, target = '', ...args], env }: Sources): Copied => {
  const { prefix, name, rows, numberOf } = kind
  if (target === '' || target.startsWith('--'))
    throw new Error(`${COMMAND} requires a new folder: ${COMMAND} /var/backups/${name} --data-dir .data/${name}`)
  const { dataDir, redisUrl } = readConfig(prefix, rows, { args, env }) as Config<BackupRows>
  if (redisUrl.length > 0) throw onRedis(`the ${name} stores in Redis (${settingOf(prefix, 'redisUrl')})`)
  refuseSource(dataDir, name)
  clearTarget(target)
  return copyAtomically(dataDir, target, numberOf)
}

/**
 * Runs `--backup <folder>`, optionally followed by flags. Prints a count of everything copied and returns the exit
 * code: 0 if the copy is intact, 1 if there is no copy or if it contains damage of the data folder.
 */
export const runBackup = <R extends BackupRows>(kind: Kind<R>, sources: Sources): number => {
  try {
    const { bytes, check } = backUp(kind, sources)
    process.stdout.write(`copied ${check.files} files with ${check.records} records in ${bytes} bytes\n`)
    if (check.damages.length === 0) return 0
    const damages = check.damages.map(damage => `damaged: ${describeDamage(damage)}\n`)
    process.stderr.write(`${damages.join('')}the data folder is damaged, and so is the copy\n`)
    return 1
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n`)
    return 1
  }
}
