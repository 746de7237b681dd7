/**
 * Partly filled forms on the wallet's pages, kept because a popup can close at any time. They stay in memory only,
 * until the wallet locks or the browser closes. They contain no secrets: no stored form has a field for a phrase, key
 * or password.
 */
import type { Draft, FormName } from '../../messages.ts'
import type { Vault } from '../keys/vault.ts'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { createSerialQueue } from '../work/turns.ts'

export type Drafts = {
  get(form: FormName): Promise<Draft | null>
  /** Stores a draft; null deletes it. Throws -32602 if the draft is invalid or too large, 4100 while locked. */
  keep(form: FormName, draft: Draft | null): Promise<void>
  /** Deletes all drafts. */
  clear(): Promise<void>
}

const FORMS: ReadonlySet<unknown> = new Set<FormName>(['send', 'addContact', 'addNetwork', 'pairing'])
/** Maximum number of fields, and maximum characters in all of them together. */
const MAX_FIELDS = 10
export const MAX_DRAFT_LENGTH = 8_000

const isDraft = (draft: Draft): boolean => {
  const fields = Object.entries(draft)
  if (fields.length > MAX_FIELDS || !fields.every(([, value]) => typeof value === 'string')) return false
  return JSON.stringify(draft).length <= MAX_DRAFT_LENGTH
}

export const createDrafts = (session: Store, vault: Pick<Vault, 'read'>): Drafts => {
  /** Serializes writes, so a draft is written either before `clear` or not at all. */
  const inTurn = createSerialQueue()
  const cell = createCell<Partial<Record<FormName, Draft>>>(session, 'drafts', {})
  return {
    get: async form => (await cell.read())[form] ?? null,
    keep: async (form, draft) => {
      if (!FORMS.has(form) || (draft !== null && !isDraft(draft)))
        throw rpcError('invalidParams', 'draftTooLarge', { fields: MAX_FIELDS, limit: MAX_DRAFT_LENGTH })
      await inTurn(async () => {
        await vault.read()
        await cell.update(({ [form]: _, ...others }) => (draft === null ? others : { ...others, [form]: draft }))
      })
    },
    clear: async () => {
      await inTurn(() => cell.update(() => ({})))
    },
  }
}
