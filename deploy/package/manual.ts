/** Makes a server's manual page in roff (groff_man(7)) from the rows of its settings. */
import { flagOf, type Rows, variableOf } from '../../shared/src/server/process/config.ts'
import { defaultOf, otherUses } from '../../shared/src/server/service/help.ts'

export type Manual = {
  /** Name of the command: "heliograph-relay". */
  name: string
  version: string
  /** One-line description after the name. */
  summary: string
  description: string
  /** Prefix of the environment variables. */
  prefix: string
  rows: Rows
}

const ASCII_END = 0x80

/** Escapes a character for roff. A hyphen-minus stays a hyphen-minus, so that flags can be copied. */
const escapeCharacter = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (character === '\\') return '\\e'
  if (character === '-') return '\\-'
  return code < ASCII_END ? character : `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`
}

/** Escapes text as one line that roff does not read as a request, even if the text starts with a dot. */
export const escapeRoff = (text: string): string => {
  const line = [...text.replaceAll(/\s+/g, ' ').trim()].map(escapeCharacter).join('')
  return /^[.']/.test(line) ? `\\&${line}` : line
}

const quoted = (text: string): string => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`

const bold = (text: string): string => `\\fB${escapeRoff(text)}\\fR`
const italic = (text: string): string => `\\fI${escapeRoff(text)}\\fR`

const section = (title: string, ...lines: readonly string[]): string[] => [`.SH ${quoted(title)}`, ...lines]

/** Returns a term with its explanation below it. */
const tagged = (term: string, ...lines: readonly string[]): string[] => ['.TP', term, ...lines]

/** Formats a usage such as `--check <folder>`, with the placeholder in italics. */
const usageOf = (usage: string): string => {
  const [flag = '', placeholder] = usage.split(' ')
  return placeholder === undefined ? bold(flag) : `${bold(flag)} ${italic(placeholder.slice(1, -1))}`
}

/** Makes the page. It has no date, so that its bytes depend only on the sources. */
export const manualOf = ({ name, version, summary, description, prefix, rows }: Manual): string => {
  const others = otherUses.flatMap(use => tagged(usageOf(use.usage), escapeRoff(use.description)))
  const settings = Object.entries(rows).flatMap(([row, setting]) =>
    tagged(
      `${bold(flagOf(row))} ${italic('value')}, ${bold(variableOf(prefix, row))}`,
      escapeRoff(setting.description),
      '.br',
      escapeRoff(`Default: ${defaultOf(setting)}`),
    ),
  )
  const lines = [
    `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`${name} ${version}`)} "Heliograph"`,
    ...section('NAME', `${escapeRoff(name)} \\- ${escapeRoff(summary)}`),
    ...section(
      'SYNOPSIS',
      `${bold(name)} [${bold('--flag')} ${italic('value')} ...]`,
      '.br',
      `${bold(name)} ${bold('--check-config')} [${bold('--flag')} ${italic('value')} ...]`,
      '.br',
      `${bold(name)} ${bold('--check')}|${bold('--repair')}|${bold('--backup')}|${bold('--import')}|${bold('--export')} ${italic('folder')}`,
    ),
    ...section(
      'DESCRIPTION',
      escapeRoff(description),
      '.PP',
      escapeRoff(
        `Once the server is ready it prints one line with "listening on" and its URL. Logs are JSON objects on standard error.`,
      ),
    ),
    ...section('OTHER USES', ...others),
    ...section(
      'SETTINGS',
      escapeRoff(
        'Each flag can also be set as an environment variable. The flag takes precedence. An empty variable counts as unset.',
      ),
      ...settings,
    ),
    ...section(
      'SIGNALS',
      ...tagged(
        escapeRoff('SIGTERM, SIGINT'),
        escapeRoff('Stop the server gracefully. A second signal makes it exit at once.'),
      ),
      ...tagged(
        'SIGHUP',
        escapeRoff('With TLS, load the certificate and its key again if they have changed. Without TLS, exit at once.'),
      ),
    ),
    ...section(
      'EXIT STATUS',
      ...tagged('0', escapeRoff('Success, or a stop by a signal.')),
      ...tagged('1', escapeRoff('The server could not start, a setting is invalid, or a checked folder is damaged.')),
      ...tagged('2', escapeRoff('The command could not use the folder or Redis.')),
    ),
  ]
  return `${lines.join('\n')}\n`
}
