import { expect, test } from 'vitest'
import { DERIVATION, SECRETS_V1 } from '../wallet.fixture.ts'
import { secretsOf, withNextAccount } from './keyring-changes.ts'
import { migrateSecrets } from './vault-file.ts'

test('version 1 is migrated with the same phrase, accounts and names', async () => {
  const migrated = migrateSecrets(SECRETS_V1)
  const [phrase] = migrated.phrases
  const today = await secretsOf(DERIVATION)
  const id = String(today.phrases[0]?.id)
  const both = await withNextAccount(today, id, 'Savings')
  expect(JSON.stringify(migrated)).toBe(JSON.stringify(both).replaceAll(id, String(phrase?.id)))
  expect(migrateSecrets(SECRETS_V1)).toEqual(migrated)
})

test('the current version is unchanged', () => {
  const secrets = migrateSecrets(SECRETS_V1)
  expect(migrateSecrets(secrets)).toBe(secrets)
})
