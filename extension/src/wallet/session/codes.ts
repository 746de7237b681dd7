/**
 * The session error codes that this wallet uses. They differ from the relay protocol's codes, in which 3000 and 3001
 * have other meanings. https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes
 */
import { RpcError } from '@heliograph/shared/errors'
import type { ValueError } from '@heliograph/shared/evm/value-error'
import type { Reason } from '../text/reasons.ts'

export const sessionCodes = {
  invalidSettle: [1005, 'Invalid settlement'],
  unauthorizedMethod: [3001, 'Unauthorized method'],
  unauthorizedEvent: [3002, 'Unauthorized event'],
  unauthorizedUpdate: [3003, 'Unauthorized update'],
  unauthorizedExtend: [3004, 'Unauthorized extend'],
  unauthorizedChain: [3005, 'Unauthorized chain'],
  userRejected: [5000, 'User rejected'],
  userRejectedChains: [5001, 'User rejected chains'],
  userRejectedMethods: [5002, 'User rejected methods'],
  userRejectedEvents: [5003, 'User rejected events'],
  unsupportedChains: [5100, 'Unsupported chains'],
  unsupportedMethods: [5101, 'Unsupported methods'],
  unsupportedEvents: [5102, 'Unsupported events'],
  unsupportedAccounts: [5103, 'Unsupported accounts'],
  unsupportedNamespaceKey: [5104, 'Unsupported namespace key'],
  userDisconnected: [6000, 'User disconnected'],
  requestExpired: [8000, 'Request expired'],
  methodUnsupported: [10001, 'Unsupported method'],
} as const satisfies Record<string, readonly [code: number, message: string]>

export type SessionCode = keyof typeof sessionCodes

/**
 * Creates the error with this name. `why` gives its reason, which is appended to its message; without it, the reason is
 * the name.
 */
export const sessionError = <N extends SessionCode>(
  name: N,
  ...[why]: N extends Reason ? [why?: ValueError] : [why: ValueError]
): RpcError => {
  const [code, text] = sessionCodes[name]
  if (why === undefined) return new RpcError({ code, reason: name, values: {}, message: text })
  return new RpcError({ code, reason: why.reason, values: why.values, message: `${text}: ${why.message}` })
}
