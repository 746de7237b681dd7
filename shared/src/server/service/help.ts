/** Text of --help: the flags for other tasks than serving, and the settings. The manual page has the same rows. */
import { flagOf, type Row, type Rows, variableOf } from '../process/config.ts'

/** A flag that requests a task other than serving. */
export type OtherUse = { usage: string; description: string }

export const otherUses: readonly OtherUse[] = [
  { usage: '--help', description: 'prints this list' },
  { usage: '--version', description: 'prints the version' },
  {
    usage: '--check-config',
    description: 'checks the settings, the files that they name, and Redis, then exits without starting the server',
  },
  { usage: '--check <folder>', description: 'lists the damage in the data folder of a stopped server' },
  {
    usage: '--repair <folder>',
    description: 'removes the damaged bytes, and keeps them in files that end in .damaged',
  },
  {
    usage: '--backup <folder>',
    description: 'copies the data folder of a running server to a new folder; add --data-dir if it is not the default',
  },
  {
    usage: '--import <folder>',
    description: 'moves the data folder of a stopped server to Redis; add --redis-url',
  },
  {
    usage: '--export <folder>',
    description: 'moves the contents of Redis to a new data folder; no server may be running on Redis',
  },
]

/** Returns the default of a row as text. */
export const defaultOf = (row: Row<unknown>): string => row.defaultText ?? (String(row.default ?? '') || 'none')

/** Returns the text. `command` starts the server: "heliograph-relay", or "npm run relay --" in a clone. */
export const helpText = (command: string, prefix: string, rows: Rows): string => {
  const width = Math.max(...otherUses.map(({ usage }) => usage.length))
  const uses = otherUses.map(({ usage, description }) => `${command} ${usage.padEnd(width)}  ${description}`)
  const lines = Object.entries(rows).map(
    ([name, row]) =>
      `  ${flagOf(name)} <value>, ${variableOf(prefix, name)}\n      ${row.description} (default: ${defaultOf(row)})`,
  )
  return `${command} [flags]\n${uses.join('\n')}\n\nEach flag can also be set as an environment variable. The flag takes precedence.\n\n${lines.join('\n')}\n`
}
