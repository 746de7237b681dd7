import { expect, test } from 'vitest'
import { integer, listOf, type Row, text } from '../process/config.ts'
import { helpText } from './help.ts'

const rows = {
  port: { description: 'Where to listen', default: 8080, parse: integer(0, 65_535) } satisfies Row<number>,
  dataDir: { description: 'Where to keep things', default: '.data', parse: text } satisfies Row<string>,
  urls: { description: 'Names', default: [], parse: listOf(text) } satisfies Row<readonly string[]>,
}

test('the help lists flag, variable, description and default of each row', () => {
  const help = helpText('npm run relay --', 'RELAY', rows)
  expect(help).toContain('--port <value>, RELAY_PORT\n      Where to listen (default: 8080)')
  expect(help).toContain('--data-dir <value>, RELAY_DATA_DIR\n      Where to keep things (default: .data)')
  expect(help).toContain('--urls <value>, RELAY_URLS\n      Names (default: none)')
})

test('the help lists every other use of the command', () => {
  const help = helpText('heliograph-relay', 'RELAY', rows)
  for (const use of ['--version', '--check-config', '--check <folder>', '--export <folder>'])
    expect(help).toContain(`\nheliograph-relay ${use} `)
})
