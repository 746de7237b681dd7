/** UI methods that save and open backup files. Imports of their items are in other-wallets.ts. */
import { backupName, openBackupFile, parseBackup, sealBackup } from '../backup/backup-file.ts'
import { PUBLIC_NAMES, parseSections, readSections, SECTION_NAMES } from '../backup/sections.ts'
import { assertPassword } from '../keys/password.ts'
import type { Ui, UiParts } from './parts.ts'

export const createBackupUi = (parts: UiParts): Pick<Ui, 'saveBackup' | 'describeBackup' | 'openBackup'> => {
  const { vault, commonPasswords, kdfCost, now } = parts
  return {
    saveBackup: async ({ password, walletPassword }) => {
      await assertPassword(password, commonPasswords)
      if (walletPassword !== undefined) await vault.confirm(walletPassword)
      const sections = await readSections(parts, walletPassword === undefined ? PUBLIC_NAMES : SECTION_NAMES)
      const file = await sealBackup({ wallet: parts.version, savedAt: now(), sections }, password, kdfCost)
      return { fileName: backupName(now()), file }
    },
    describeBackup: async ({ file }) => {
      parseBackup(file, kdfCost)
      return null
    },
    openBackup: async ({ file, password }) => {
      const { savedAt, sections } = await openBackupFile(file, password, kdfCost)
      return { savedAt, ...parseSections(sections) }
    },
  }
}
