/** The commands `--import <folder>` and `--export <folder>`, which move a stopped server's data to Redis and back. */
import { existsSync } from 'node:fs'
import { type Config, type Row, type Rows, readConfig, type Sources, settingOf } from '../process/config.ts'
import { makeFolder, takeFolder } from '../process/folder-lock.ts'
import type { LogLevel } from '../process/log.ts'
import type { Redis } from '../redis/redis.ts'
import { Damaged, exportFolder, importFolder, type Transfer, type Work } from './transfer.ts'

/** Rows of both servers that a transfer needs. */
type TransferRows = Rows & { redisUrl: Row<readonly string[]>; logLevel: Row<LogLevel> }

type Command = {
  prepare: (folder: string) => void
  run: <R extends Rows>(work: Work<R>) => Promise<readonly string[]>
}

const refuseMissing = (folder: string): void => {
  if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`)
}

const COMMANDS: Readonly<Record<string, Command>> = {
  '--import': { prepare: refuseMissing, run: importFolder },
  '--export': { prepare: makeFolder, run: exportFolder },
}

const openRedisAt = async ([first, ...others]: readonly string[], missing: string): Promise<Redis> => {
  if (first === undefined) throw new Error(missing)
  const { openRedis } = await import('../redis/open.ts')
  return openRedis([first, ...others], { durability: 'process' })
}

const transferFolder = async <R extends TransferRows>(
  transfer: Transfer<R>,
  { args: [command = '', folder = '', ...args], env }: Sources,
): Promise<readonly string[]> => {
  const { prefix, name, rows } = transfer
  const { prepare, run } = COMMANDS[command] as Command
  if (folder === '' || folder.startsWith('--'))
    throw new Error(
      `${command} requires the data directory: ${command} .data/${name} --redis-url redis://127.0.0.1:6379`,
    )
  const config = readConfig(prefix, rows, { args, env })
  const { redisUrl, logLevel } = config as Config<TransferRows>
  const redis = await openRedisAt(redisUrl, `${command} requires Redis: set ${settingOf(prefix, 'redisUrl')}`)
  try {
    prepare(folder)
    const giveFolder = await takeFolder(folder)
    try {
      return await run({ folder, redis, transfer, config, logLevel })
    } finally {
      giveFolder()
    }
  } finally {
    await redis.close()
  }
}

/**
 * Runs `--import <folder>` or `--export <folder>`, optionally followed by flags. Prints a count of
 * everything moved and returns the exit code: 0 if everything was moved, 1 if the folder is damaged, 2 if
 * the folder or Redis cannot be used.
 */
export const runTransfer = async <R extends TransferRows>(transfer: Transfer<R>, sources: Sources): Promise<number> => {
  try {
    const lines = await transferFolder(transfer, sources)
    process.stdout.write([...lines, ''].join('\n'))
    return 0
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n`)
    return thrown instanceof Damaged ? 1 : 2
  }
}
