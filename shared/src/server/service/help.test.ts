import { expect, test } from 'vitest'
import { integer, listOf, type Row, text } from '../process/config.ts'
import { helpText } from './help.ts'

const rows = {
  maxPort: { description: 'Where to listen', default: 8080, parse: integer(0, 65_535) } satisfies Row<number>,
  urls: { description: 'Names', default: [], parse: listOf(text) } satisfies Row<readonly string[]>,
  host: { description: 'Address', default: '::', defaultText: 'all addresses', parse: text } satisfies Row<string>,
}

test('each row has its flag, variable, description and default', () => {
  const [, settings] = helpText('npm run relay --', 'RELAY', rows).split('The flag takes precedence.\n\n')
  expect(settings).toBe(
    [
      '  --max-port <value>, RELAY_MAX_PORT',
      '      Where to listen (default: 8080)',
      '  --urls <value>, RELAY_URLS',
      '      Names (default: none)',
      '  --host <value>, RELAY_HOST',
      '      Address (default: all addresses)',
      '',
    ].join('\n'),
  )
})
