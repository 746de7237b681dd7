/** Keeps the draft of a form while its page is closed. Do not use it for secrets. */
import { replaceInvisible } from '@heliograph/shared/pasted/plain'
import { untrack } from 'svelte'
import type { Draft, FormName } from '../../messages.ts'
import type { Client } from './client.svelte.ts'

export type RememberedForm = {
  /** Deletes the draft and stops keeping one. Call it when the form is submitted or cancelled. */
  forget(): void
}

/**
 * Maximum length of a kept text, in characters: fits an address and most names, but no private key or recovery phrase.
 */
const LONGEST_KEPT = 42
const MOST_WORDS = 3

/** Returns the field's text, or empty if it could be a recovery phrase or a private key. */
export const withoutSecret = (typed: string): string => {
  const field = typed.trim()
  const words = replaceInvisible(field, ' ').split(/[\s,;]+/)
  return field.length > LONGEST_KEPT || words.length > MOST_WORDS ? '' : typed
}

const isEmpty = (draft: Draft): boolean => Object.values(draft).every(value => value === '')

/**
 * Restores a form's draft and keeps it up to date. `read` returns the fields; `fill` restores a draft, unless the user
 * has typed before it arrived. Empty forms are not kept. Call it during component initialization.
 */
export const rememberForm = (
  client: () => Client,
  form: FormName,
  read: () => Draft,
  fill: (draft: Draft) => void,
): RememberedForm => {
  /** False until the draft is restored, so that the initial fields do not overwrite it. */
  let isFollowed = $state(false)
  let isKept = false
  let isForgotten = false
  const untouched = untrack(() => JSON.stringify(read()))

  const bringBack = async () => {
    try {
      const kept = await client().call('getDraft', { form })
      isKept = kept !== null
      if (isForgotten) keep(null)
      else if (kept && JSON.stringify(read()) === untouched) fill(kept)
    } catch {
      // If its draft cannot be loaded, the form starts empty.
    }
    isFollowed = !isForgotten
  }
  const keep = (draft: Draft | null) => {
    if (draft === null && !isKept) return
    isKept = draft !== null
    client()
      .call('keepDraft', { form, draft })
      .catch(() => {})
  }

  void bringBack()
  $effect(() => {
    const draft = read()
    if (isFollowed) keep(isEmpty(draft) ? null : draft)
  })

  return {
    forget: () => {
      isForgotten = true
      isFollowed = false
      keep(null)
    },
  }
}
