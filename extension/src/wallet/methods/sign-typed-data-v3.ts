/** `signTypedData_v3` under each prefix: EIP-712 without arrays and null references, which version 3 cannot encode. */
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import type { Asking } from '../requests/context.ts'
import { actOnTypedData, parseSigning, prepareTypedData } from './prepare-typed-data.ts'

export const signTypedDataV3: Asking = {
  prepare: (context, params) =>
    prepareTypedData(context, parseSigning(context, params, nodeSchemas.signTypedData), 'V3'),
  act: actOnTypedData,
}
