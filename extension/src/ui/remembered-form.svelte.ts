/** Keeps a form that is half filled in, so that it is there again when its page is. Never for what is secret. */
import { untrack } from 'svelte'
import type { Draft, FormName } from '../messages.ts'
import type { Client } from './client.svelte.ts'

export type RememberedForm = {
  /** It was done with, or given up: nothing of it is kept from now on. */
  forget(): void
}

/** An address has 42 characters, a name at most 32 and mostly few words; a private key and a recovery phrase have more. */
const LONGEST_KEPT = 42
const MOST_WORDS = 3

/** A field as it may be kept: nothing of it where a recovery phrase or a private key can stand in it. */
export const withoutSecret = (typed: string): string => {
  const field = typed.trim()
  return field.length > LONGEST_KEPT || field.split(/\s+/).length > MOST_WORDS ? '' : typed
}

const isEmpty = (draft: Draft): boolean => Object.values(draft).every(value => value === '')

/**
 * `read` gives the fields as they are now, `fill` puts in what was kept. A form that is empty is not kept, and
 * what was typed before the kept one came stands. Must be called while a component is set up.
 */
export const rememberForm = (
  client: () => Client,
  form: FormName,
  read: () => Draft,
  fill: (draft: Draft) => void,
): RememberedForm => {
  /** What stands there before the kept form is back is not yet the person's. */
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
      // Without what was kept the form is as new.
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
