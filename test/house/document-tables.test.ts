/** Checks that the table of stored data in extension/README.md matches the registry. */
import { expect, test } from 'vitest'
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
