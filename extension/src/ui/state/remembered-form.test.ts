import { expect, test } from 'vitest'
import type { Draft } from '../../messages.ts'
import type { Client } from './client.svelte.ts'
import { rememberForm, withoutSecret } from './remembered-form.svelte.ts'

/** Returns a form, and a background that returns the draft on demand. */
const form = () => {
  let answer: (draft: Draft | null) => void = () => {}
  const kept = new Promise<Draft | null>(resolve => {
    answer = resolve
  })
  const calls: unknown[] = []
  const call = async (method: string, params: unknown) => {
    calls.push([method, params])
    return method === 'getDraft' ? kept : null
  }
  const fields = { now: { recipient: '' } as Draft }
  const remembered = rememberForm(
    () => ({ state: null, call }) as Client,
    'send',
    () => fields.now,
    draft => {
      fields.now = draft
    },
  )
  const bring = async (draft: Draft | null) => {
    answer(draft)
    await kept
    // Let the response's continuations run.
    await new Promise(resolve => setImmediate(resolve))
  }
  return { fields, calls, remembered, bring }
}

test('an untouched form is filled with its draft', async () => {
  const { fields, bring } = form()
  await bring({ recipient: 'Mira' })
  expect(fields.now).toEqual({ recipient: 'Mira' })
})

test('input typed before the draft arrives is kept', async () => {
  const { fields, bring } = form()
  fields.now = { recipient: 'Ada' }
  await bring({ recipient: 'Mira' })
  expect(fields.now).toEqual({ recipient: 'Ada' })
})

test('a form cancelled before its draft arrives stays empty, and the draft is deleted', async () => {
  const { fields, calls, remembered, bring } = form()
  remembered.forget()
  await bring({ recipient: 'Mira' })
  expect(fields.now).toEqual({ recipient: '' })
  expect(calls.at(-1)).toEqual(['keepDraft', { form: 'send', draft: null }])
})

test('withoutSecret drops phrases and keys, and keeps addresses and names', () => {
  const words = 'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat'
  for (const secret of [words, `1. ${words}`, 'candy maple cake sugar', 'ab'.repeat(32), `0x${'ab'.repeat(32)}`])
    expect(withoutSecret(secret)).toBe('')
  for (const other of [`0x${'ab'.repeat(20)}`, 'Mira', 'Mira of Oslo', '']) expect(withoutSecret(other)).toBe(other)
})
