/** Tables of documents agree with what they describe. */
import { expect, test } from 'vitest'
import { BROWSER_VALUES, REGISTRY } from '../../extension/src/wallet/storage/registry.ts'
import { filesBelow, read } from './sources.ts'

const all = filesBelow()

test('each test that docs/security-testing.md names exists', () => {
  const named = [...read('docs/security-testing.md').matchAll(/`([\w./-]+(?:\.test|-contract)\.ts)`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(path => !all.some(file => file === path || file.endsWith(`/${path}`)))).toEqual([])
})

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
