import { expect, test } from 'vitest'
import { relayRows } from '../../relay-server/src/config.ts'
import { integer } from '../../shared/src/server/process/config.ts'
import { escapeRoff, manualOf } from './manual.ts'

const page = (rows: Parameters<typeof manualOf>[0]['rows']) =>
  manualOf({
    name: 'heliograph-relay',
    version: '1.2.3',
    summary: 'a relay',
    description: 'Carries messages.',
    prefix: 'RELAY',
    rows,
  })

test.each([
  ['a \\fB b', 'a \\efB b'],
  ['.SH is no request here', '\\&.SH is no request here'],
  ["'tis none either", "\\&'tis none either"],
  ['--port', '\\-\\-port'],
  ['rediss://… and 𝛼', 'rediss://\\[u2026] and \\[u1D6FC]'],
  ['two\nlines', 'two lines'],
])('%j is escaped as %j', (text, escaped) => {
  expect(escapeRoff(text)).toBe(escaped)
})

test('each row has its flag, variable, description and default', () => {
  const rows = { maxPort: { description: '.Where "to\\n" listen', default: 80, parse: integer(0, 90) } }
  expect(page(rows)).toContain(
    [
      '.TP',
      '\\fB\\-\\-max\\-port\\fR \\fIvalue\\fR, \\fBRELAY_MAX_PORT\\fR',
      '\\&.Where "to\\en" listen',
      '.br',
      'Default: 80',
      '',
    ].join('\n'),
  )
})

test('the page of the relay has a term for each setting, and only known requests in ASCII', () => {
  const text = page(relayRows)
  for (const name of Object.keys(relayRows)) {
    const flag = escapeRoff(`--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`)
    expect(text.split(`\n.TP\n\\fB${flag}\\fR`), name).toHaveLength(2)
  }
  expect(text.split('\n').filter(line => /^[.'](?!(TH|SH|TP|PP|br)\b)/.test(line))).toEqual([])
  expect(text).toMatch(/^[\n\x20-\x7e]+$/)
})
