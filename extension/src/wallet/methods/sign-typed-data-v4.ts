/** `signTypedData_v4` under each prefix: EIP-712. */
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import type { Asking } from '../requests/context.ts'
import { actOnTypedData, prepareTypedData } from './prepare-typed-data.ts'

export const signTypedDataV4: Asking = {
  prepare: (context, params) => prepareTypedData(context, parseParams(params, nodeSchemas.signTypedData), 'V4'),
  act: actOnTypedData,
}
