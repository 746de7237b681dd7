/** The filter of the activity list. */
import type { ActivityFilter } from '../../messages.ts'

/** Accepts everything. */
export const NO_FILTER: ActivityFilter = {
  account: null,
  chainId: null,
  direction: null,
  status: null,
  origin: null,
  from: null,
  until: null,
  text: '',
  hidesMarked: false,
}
