/** The user's safety settings. */
import type { SafetyView } from '../../messages.ts'
import { createCell, type Store } from '../storage/store.ts'
import type { Vault } from './vault.ts'

const DEFAULTS: SafetyView = {
  asksPassword: false,
  allowsUnreadable: true,
  allowsForeignSignIn: false,
  readsOffchainNames: false,
}

/** Used until the user's settings are known. */
export const STRICT_SAFETY: SafetyView = {
  asksPassword: true,
  allowsUnreadable: false,
  allowsForeignSignIn: false,
  readsOffchainNames: false,
}

export type Safety = {
  read(): Promise<SafetyView>
  /** Changes settings. Throws like `assertPassword`, because a change could otherwise bypass the password. */
  change(change: Partial<SafetyView> & { password?: string }): Promise<void>
  /** Throws VaultError if the user requires the password and it is missing or wrong. */
  assertPassword(password?: string): Promise<void>
}

export const createSafety = (store: Store, vault: Vault): Safety => {
  const cell = createCell<Partial<SafetyView>>(store, 'safety', DEFAULTS)
  const read = async (): Promise<SafetyView> => ({ ...DEFAULTS, ...(await cell.read()) })

  const assertPassword: Safety['assertPassword'] = async (password = '') => {
    if ((await read()).asksPassword) await vault.confirm(password)
  }

  return {
    read,
    change: async ({ password, ...change }) => {
      await assertPassword(password)
      await cell.update(before => ({ ...before, ...change }))
    },
    assertPassword,
  }
}
