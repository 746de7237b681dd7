/** A backup of every earlier version of the format opens in this version, with all its contents. */
import { describe, expect, test } from 'vitest'
import { BACKUP_VERSION } from '../../extension/src/wallet/backup/backup-file.ts'
import { SECTION_NAMES } from '../../extension/src/wallet/backup/sections.ts'
import { ADDRESS, PASSWORD, PHRASE, startWallet } from '../../extension/src/wallet/wallet.fixture.ts'
import { defaultNetworks } from '../../shared/src/network.ts'
import { backupFixtures } from './backup-fixture.ts'

test('every version of the format has a fixture', () => {
  const versions = Array.from({ length: BACKUP_VERSION }, (_, at) => at + 1)
  expect(backupFixtures().map(({ version }) => version)).toEqual(versions)
})

test('the fixture of this version has an item of every section', () => {
  const sections = backupFixtures()
    .at(-1)
    ?.entries.map(({ section }) => section)
  expect([...new Set(sections)].toSorted()).toEqual([...SECTION_NAMES].toSorted())
})

describe.each(backupFixtures())('version $version', ({ password, file, entries }) => {
  test('opens with all its contents, and restores them in a new wallet', async () => {
    const { ui } = startWallet({ networks: defaultNetworks }).wallet
    const opened = await ui.openBackup({ file, password })
    expect(opened.unreadable).toBe(0)
    expect(opened.entries).toEqual(entries)
    await ui.createVault({ password: PASSWORD, phrase: PHRASE })
    const reviews = await ui.reviewImport({ entries: opened.entries })
    expect(reviews.filter(({ verdict }) => verdict === 'refused')).toEqual([])
    await ui.importEntries({ entries: opened.entries })
    const { accounts, sites, activity } = await ui.getState(null)
    expect(accounts.map(({ name, kind }) => [name, kind])).toEqual([
      ['Main', 'phrase'],
      ['Savings', 'phrase'],
      ['Till', 'privateKey'],
    ])
    expect(sites).toMatchObject([{ origin: 'https://site.example', accounts: [ADDRESS] }])
    expect(activity).toHaveLength(1)
    const again = await ui.reviewImport({ entries: opened.entries })
    expect(again.filter(({ verdict }) => verdict === 'new' || verdict === 'conflict')).toEqual([])
  })
})
