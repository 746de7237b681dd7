/**
 * `watchRegister` and `watchUnregister`. Any client may send the token, which the watched client has signed.
 * https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc
 */
import { parseParams } from '@heliograph/shared/wire/params'
import { relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Method, Parts } from '../method.ts'

export const watchMethods = ({ watches }: Parts) => {
  const watchRegister: Method = async ({ payers }, params, prefix) => {
    const { registerAuth } = parseParams(params, relaySchemas(prefix).watchRegister)
    return { result: { relayId: await watches.register(registerAuth, payers) } }
  }

  const watchUnregister: Method = async (_, params, prefix) => {
    const { unregisterAuth } = parseParams(params, relaySchemas(prefix).watchUnregister)
    await watches.unregister(unregisterAuth)
    return { result: true }
  }

  return { watchRegister, watchUnregister }
}
