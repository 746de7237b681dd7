/**
 * `signTypedData` under each prefix: signs structured data. If the account is first, it is EIP-712 (version 4), as
 * specified; if a list of values is first, it is the old version 1. https://eips.ethereum.org/EIPS/eip-712
 */
import { isTypedValues, nodeSchemas } from '@heliograph/shared/wire/node-methods'
import type { Asking } from '../requests/context.ts'
import { actOnTypedData, parseSigning, prepareTypedData, prepareTypedValues } from './prepare-typed-data.ts'

export const signTypedData: Asking = {
  prepare: async (context, params) =>
    isTypedValues(params)
      ? prepareTypedValues(context, parseSigning(context, params, nodeSchemas.signTypedData_v1))
      : prepareTypedData(context, parseSigning(context, params, nodeSchemas.signTypedData), 'V4'),
  act: actOnTypedData,
}
