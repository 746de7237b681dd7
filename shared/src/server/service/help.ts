/** Text for --help: the flags that do something else than serve, and the settings. The manual has the same rows. */
import { flagOf, type Row, type Rows, variableOf } from '../process/config.ts'

/** A flag that does something else than serve. */
export type OtherUse = { usage: string; description: string }

export const otherUses: readonly OtherUse[] = [
  { usage: '--help', description: 'prints this list' },
  { usage: '--version', description: 'prints the version' },
  {
    usage: '--check-config',
    description: 'checks the settings, the files that they name and Redis, and ends without starting the server',
  },
  { usage: '--check <folder>', description: 'names what is damaged in the data folder of a stopped server' },
  {
    usage: '--repair <folder>',
    description: 'takes the damaged bytes out; they are kept in files that end in .damaged',
  },
  {
    usage: '--backup <folder>',
    description: 'copies the data folder of a running server to a new folder; --data-dir may follow',
  },
  {
    usage: '--import <folder>',
    description: 'moves the data folder of a stopped server to Redis, of which --redis-url follows',
  },
  {
    usage: '--export <folder>',
    description: 'moves the contents of Redis to a new data folder, while no server runs on Redis',
  },
]

/** The default of a row in words. */
export const defaultOf = (row: Row<unknown>): string => row.defaultText ?? (String(row.default ?? '') || 'none')

/** `command` starts the server: "heliograph-relay", or "npm run relay --" in a clone. */
export const helpText = (command: string, prefix: string, rows: Rows): string => {
  const width = Math.max(...otherUses.map(({ usage }) => usage.length))
  const uses = otherUses.map(({ usage, description }) => `${command} ${usage.padEnd(width)}  ${description}`)
  const lines = Object.entries(rows).map(
    ([name, row]) =>
      `  ${flagOf(name)} <value>, ${variableOf(prefix, name)}\n      ${row.description} (default: ${defaultOf(row)})`,
  )
  return `${command} [flags]\n${uses.join('\n')}\n\nEvery flag is an environment variable, too; the flag wins.\n\n${lines.join('\n')}\n`
}
