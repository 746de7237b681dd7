/** Errors for records that cannot be read from the browser's storage. */
import { RpcError } from '@heliograph/shared/errors'
import { rpcError } from '../text/errors.ts'
import { report } from '../work/failures.ts'

const REASON = 'recordUnreadable'

/** Returns a `catch` handler for a read. It throws an error that names the record. */
export const asUnreadable =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof RpcError) throw error
    report(error)
    throw rpcError('internal', REASON, { name })
  }

/** Returns a `catch` handler that substitutes a value for an unreadable record. It throws any other error. */
export const ifUnreadable =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof RpcError && error.reason === REASON) return value
    throw error
  }
