/**
 * `signTypedData` under each prefix: signs structured data. With the account first it is EIP-712 (version 4), as the standard
 * specifies; with a list of values first it is the old version 1. https://eips.ethereum.org/EIPS/eip-712
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
