/** The section of signed transactions and their outcomes. The wallet's own record of a transaction always stays. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { recoverTransaction } from '@heliograph/shared/evm/transaction'
import * as v from 'valibot'
import { type Activity, activityOf, isOpen, LONGEST_DATA, MAX_RAW_SIZE, roomBeside } from '../activity/activity.ts'
import { plain, type Section } from './section.ts'
import { address, chainId, textOrNull, time } from './values.ts'

const MAX_TEXT = 4_000

const hex = (form: RegExp, most: number) =>
  v.pipe(
    v.string(),
    v.maxLength(most),
    v.regex(form),
    v.transform(text => text as Hex),
  )
const quantity = hex(/^0x(?:0|[1-9a-f][0-9a-f]*)$/, 66)
const hash = hex(/^0x[0-9a-f]{64}$/, 66)
const data = (most: number) => hex(/^0x(?:[0-9a-f]{2})*$/, most)
const orNull = <T>(schema: v.GenericSchema<unknown, T>) => v.nullish(schema, null)

const Failure = v.object({
  name: v.picklist(['reverted', 'outOfGas', 'refused', 'notSent', 'discarded']),
  reason: orNull(
    v.union([
      v.pipe(v.string(), v.maxLength(MAX_TEXT)),
      v.object({
        reason: v.pipe(v.string(), v.maxLength(MAX_TEXT)),
        values: v.record(v.string(), v.union([v.pipe(v.string(), v.maxLength(MAX_TEXT)), v.number()])),
      }),
    ]),
  ),
})

const Fields = v.object({
  hash,
  raw: orNull(data(MAX_RAW_SIZE)),
  chainId,
  account: address,
  nonce: quantity,
  key: v.pipe(v.string(), v.maxLength(MAX_TEXT)),
  origin: textOrNull(MAX_TEXT),
  purpose: v.nullish(v.picklist(['transaction', 'speedUp', 'cancel', 'removeDelegation']), 'transaction'),
  replaces: orNull(hash),
  to: orNull(address),
  value: quantity,
  data: data(LONGEST_DATA),
  gas: quantity,
  price: quantity,
  status: v.picklist(['signed', 'pending', 'confirmed', 'failed', 'replaced', 'dropped']),
  failure: orNull(Failure),
  createdAt: time,
  sentAt: orNull(time),
  settledAt: orNull(time),
  block: orNull(quantity),
  fee: orNull(quantity),
})

/** True if the record says what its signed bytes say. Without bytes, which an open transaction has, there is no proof. */
const isTrue = (record: Activity): boolean => {
  const { raw } = record
  if (raw === null) return !isOpen(record)
  try {
    const signed = activityOf(raw, { ...record, status: 'signed' })
    const facts = ['hash', 'nonce', 'to', 'value', 'data', 'gas', 'price'] as const
    return facts.every(name => signed[name] === record[name]) && sameAddress(recoverTransaction(raw), record.account)
  } catch {
    return false
  }
}

export const activity: Section<'activity'> = {
  name: 'activity',
  schema: v.pipe(Fields, v.check(isTrue)),
  idOf: item => item.hash,
  read: async parts => (await parts.activity.list()).map(({ missedAt: _, ...record }) => record),
  compare: () => 'same',
  fitting: async ({ parts }) => {
    const take = roomBeside(await parts.activity.list())
    return item => {
      take(item as Activity)
      return plain(item)
    }
  },
  write: ({ parts }, items) => parts.activity.restore(items as readonly Activity[]),
}
