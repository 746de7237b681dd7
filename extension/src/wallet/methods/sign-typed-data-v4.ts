/** `signTypedData_v4` under each prefix: EIP-712. */
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import type { Asking } from '../requests/context.ts'
import { actOnTypedData, parseSigning, prepareTypedData } from './prepare-typed-data.ts'

export const signTypedDataV4: Asking = {
  prepare: (context, params) =>
    prepareTypedData(context, parseSigning(context, params, nodeSchemas.signTypedData), 'V4'),
  act: actOnTypedData,
}
