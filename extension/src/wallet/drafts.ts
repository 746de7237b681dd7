/**
 * What is half filled in of the wallet's own forms, since a popup closes at any moment. It is in memory alone, and goes when
 * the wallet locks or the browser ends. What is secret is never put in here: no page asks for a phrase, key or password in a
 * form that is kept.
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Draft, FormName } from '../messages.ts'
import type { Vault } from './keys/vault.ts'
import { createCell, type Store } from './store.ts'
import { createTurns } from './turns.ts'

export type Drafts = {
  get(form: FormName): Promise<Draft | null>
  /** null forgets it. Throws -32602 for one that is no form of this size, 4100 while locked. */
  keep(form: FormName, draft: Draft | null): Promise<void>
  /** Forgets them all. */
  clear(): Promise<void>
}

const FORMS: ReadonlySet<unknown> = new Set<FormName>(['send', 'addContact', 'addNetwork', 'pairing'])
/** Fields of a form, and characters of all that is in them. */
const MAX_FIELDS = 10
export const MAX_DRAFT_LENGTH = 8_000

const isDraft = (draft: Draft): boolean => {
  const fields = Object.entries(draft)
  if (fields.length > MAX_FIELDS || !fields.every(([, value]) => typeof value === 'string')) return false
  return JSON.stringify(draft).length <= MAX_DRAFT_LENGTH
}

export const createDrafts = (session: Store, vault: Pick<Vault, 'read'>): Drafts => {
  /** What the wallet was open for is written before it forgets all, or not at all. */
  const inTurn = createTurns()
  const cell = createCell<Partial<Record<FormName, Draft>>>(session, 'drafts', {})
  return {
    get: async form => (await cell.read())[form] ?? null,
    keep: async (form, draft) => {
      if (!FORMS.has(form) || (draft !== null && !isDraft(draft)))
        throw rpcError(
          'invalidParams',
          `A form that is kept has up to ${MAX_FIELDS} fields and ${MAX_DRAFT_LENGTH} characters`,
        )
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
