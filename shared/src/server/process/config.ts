/**
 * Configuration as a table of rows, each with a name, description, default and parser. The relay's row `dataDir` is
 * `--data-dir` on the command line and `RELAY_DATA_DIR` in the environment. The flag takes precedence. This is the only file
 * that reads the environment.
 */
import { parseArgs } from 'node:util'

/**
 * `parse` parses the text of a flag or variable and throws ConfigError with the rule it breaks. The value of a secret is
 * never quoted.
 */
export type Row<T> = {
  description: string
  default: T
  parse: (text: string) => T
  isSecret?: boolean
  /** Description of a default that is only known at start. */
  defaultText?: string
}
export type Rows = Readonly<Record<string, Row<unknown>>>
export type Config<R extends Rows> = { -readonly [K in keyof R]: R[K] extends Row<infer T> ? T : never }

/** An invalid setting. The message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Parses a decimal integer from `min` to `max`. */
export const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < min || value > max)
      throw new ConfigError(`must be a whole number from ${min} to ${max}`)
    return value
  }

/** Parses any non-empty text. */
export const text = (value: string): string => {
  if (value === '') throw new ConfigError('must not be empty')
  return value
}

/** Parses one of the given words. */
export const oneOf =
  <T extends string>(...words: readonly T[]) =>
  (value: string): T => {
    const word = words.find(known => known === value)
    if (word === undefined) throw new ConfigError(`must be one of ${words.join(', ')}`)
    return word
  }

/** Parses a comma-separated list. Empty text is an empty list. */
export const listOf =
  <T>(parse: (item: string) => T) =>
  (value: string): readonly T[] =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '')
      .map(parse)

/** `dataDir` → `data-dir` */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** Returns the flag of a row: `dataDir` → `--data-dir`. */
export const flagOf = (name: string): string => `--${kebab(name)}`

/** Returns the environment variable of a row: `RELAY`, `dataDir` → `RELAY_DATA_DIR`. */
export const variableOf = (prefix: string, name: string): string =>
  `${prefix}_${kebab(name).replaceAll('-', '_').toUpperCase()}`

/** Returns both names of a row, for error messages: `RELAY_DATA_DIR (--data-dir)`. */
export const settingOf = (prefix: string, name: string): string => `${variableOf(prefix, name)} (${flagOf(name)})`

const readFlags = (rows: Rows, args: readonly string[]): Readonly<Record<string, unknown>> => {
  const options = Object.fromEntries(Object.keys(rows).map(name => [kebab(name), { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (thrown) {
    const [reason] = String(thrown instanceof Error ? thrown.message : thrown).split(/\.\s/)
    throw new ConfigError(`${reason}; --help lists all flags`)
  }
}

/** User name and password of a URL: everything before its last `@`, even if they are not percent-encoded. */
const USER_INFO = /(\w+:\/\/)?[^\s,]*@/g

const quoted = (value: string): string => JSON.stringify(value.replace(USER_INFO, '$1…@'))

const parseRow = (row: Row<unknown>, source: string, value: string): unknown => {
  try {
    return row.parse(value)
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown
    throw new ConfigError(`${source}: ${row.isSecret ? 'the value' : quoted(value)} ${thrown.message}`)
  }
}

/** Arguments and environment of a process. An empty variable counts as unset. */
export type Sources = { args: readonly string[]; env: Readonly<Record<string, string | undefined>> }

export const processSources = (): Sources => ({ args: process.argv.slice(2), env: process.env })

/** Sets an environment variable that a library reads while it is loaded. */
export const setVariable = (variable: string, value: string): void => {
  process.env[variable] = value
}

/** Reads all rows. Throws ConfigError, which names the flag or variable and its value. */
export const readConfig = <R extends Rows>(prefix: string, rows: R, { args, env }: Sources): Config<R> => {
  const flags = readFlags(rows, args)
  const settingOf = (name: string, row: Row<unknown>): unknown => {
    const flag = flags[kebab(name)]
    if (typeof flag === 'string') return parseRow(row, flagOf(name), flag)
    const variable = variableOf(prefix, name)
    return env[variable] ? parseRow(row, variable, env[variable]) : row.default
  }
  const entries = Object.entries(rows).map(([name, row]) => [name, settingOf(name, row)])
  return Object.fromEntries(entries) as Config<R>
}

/** Returns the default of each row. */
export const defaultsOf = <R extends Rows>(rows: R): Config<R> =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.default])) as Config<R>

/** Returns the text of an environment file: each row commented out, with its description and default. */
export const envText = (prefix: string, rows: Rows): string =>
  Object.entries(rows)
    .map(([name, row]) => {
      const note = row.defaultText ? ` (default: ${row.defaultText})` : ''
      return `# ${row.description}${note}\n#${variableOf(prefix, name)}=${row.default ?? ''}\n`
    })
    .join('\n')
