/** Errors of a network's node, as the wallet's client of it throws them. */
import { type ErrorName, errorCodes, type RpcError } from '@heliograph/shared/errors'
import { rpcError } from '../text/errors.ts'
import { nodeError } from './node.ts'

/** An error that the node answered. Without a text of its own, it has that of its code. */
export const refusal = (name: ErrorName, message: string = errorCodes[name][1], data?: unknown): RpcError =>
  nodeError({ code: errorCodes[name][0], message, data })

/** The error of a node that cannot be reached. */
export const unreachable = (): RpcError => rpcError('chainDisconnected', 'nodeUnreachable', { network: 'Kaia' })
