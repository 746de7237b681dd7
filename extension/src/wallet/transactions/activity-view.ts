/** Views of signed transactions for the wallet's pages. */
import { decodeCall } from '@heliograph/shared/evm/calldata'
import type { ActivityView } from '../../messages.ts'
import { type Activity, isOf } from '../activity/activity.ts'
import { type ReadOwn, viewOfCall } from '../review/call.ts'

const SELECTOR_LENGTH = 10

const callOf = ({ to, data }: Activity, readOwn: ReadOwn) => {
  if (to === null) return null
  const call = decodeCall(data)
  return viewOfCall(call ? { call } : (readOwn(to, data) ?? { call }))
}

/** Returns the hash of the mined transaction that used the same nonce, or null. */
const replacementOf = (record: Activity, records: readonly Activity[]): string | null =>
  (record.status === 'replaced' &&
    records.find(other => isOf(record)(other) && other.nonce === record.nonce && other.block !== null)?.hash) ||
  null

/** Creates the view of a record. `records` are all records, one of which may have replaced this one. */
export const activityView = (record: Activity, records: readonly Activity[], readOwn: ReadOwn): ActivityView => {
  const { raw: _raw, key: _key, missedAt: _missedAt, data, ...told } = record
  return {
    ...told,
    selector: data.length < SELECTOR_LENGTH ? null : data.slice(0, SELECTOR_LENGTH),
    call: callOf(record, readOwn),
    replacedBy: replacementOf(record, records),
  }
}

/** Returns the views of an account's transactions on a network, newest first. */
export const activityViews = (
  records: readonly Activity[],
  place: Pick<Activity, 'chainId' | 'account'>,
  readOwn: ReadOwn,
): ActivityView[] =>
  records
    .filter(isOf(place))
    .map(record => activityView(record, records, readOwn))
    .toReversed()
