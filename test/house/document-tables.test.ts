/** Checks that the tables of stored data in documents match the registry, and what backups have of it. */
import { expect, test } from 'vitest'
import { STORED } from '../../extension/src/wallet/backup/stored-names.fixture.ts'
import { BROWSER_VALUES, REGISTRY } from '../../extension/src/wallet/storage/registry.ts'
import { read } from './sources.ts'

test('extension/README.md lists exactly the records that the wallet stores', () => {
  const [, table = ''] = read('extension/README.md').split('\n## Stored data\n')
  const [local = '', session = ''] = table.split('| `storage.session` |')
  const namesIn = (rows: string) =>
    [...rows.matchAll(/^\|(?: `storage\.local` \|| \|)? ?((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
    )
  expect(namesIn(local).toSorted()).toEqual([...REGISTRY.local].toSorted())
  expect(namesIn(`|${session}`).toSorted()).toEqual([...REGISTRY.session, ...BROWSER_VALUES].toSorted())
})

test('docs/backup.md says of every stored value in which sections it is, or why it is left out', () => {
  const rows = [...read('docs/backup.md').matchAll(/^\| (`[\w-]+`(?:, `[\w-]+`)*) \| (.+) \|$/gm)]
  const namesIn = (cell: string) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
  const told = rows.flatMap(([, names = '', where = '']) =>
    namesIn(names).map(name => [name, where.startsWith('`') ? namesIn(where) : where] as const),
  )
  expect(Object.fromEntries(told)).toEqual(STORED)
})
