/** Errors of records that the browser's storage fails to read. */
import { RpcError } from '@heliograph/shared/errors'
import { rpcError } from '../text/errors.ts'
import { report } from '../work/failures.ts'

const REASON = 'recordUnreadable'

/** For `catch` of a read: throws an error that names the record. */
export const asUnreadable =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof RpcError) throw error
    report(error)
    throw rpcError('internal', REASON, { name })
  }

/** For `catch`: the value to use without a record that cannot be read. Throws any other error. */
export const ifUnreadable =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof RpcError && error.reason === REASON) return value
    throw error
  }
