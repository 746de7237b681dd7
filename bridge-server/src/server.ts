/** Builds the bridge from its parts and opens it to the network. */
import { defaultsOf } from '@heliograph/shared/server/config'
import { json } from '@heliograph/shared/server/http'
import { openParts } from '@heliograph/shared/server/parts'
import type { Running, Service } from '@heliograph/shared/server/run'
import { serve } from '@heliograph/shared/server/serve'
import { publicKeyRoute } from '@heliograph/shared/server/signing-key'
import { registrationRoute } from '@heliograph/shared/server/webhooks'
import { type BridgeConfig, bridgeRows } from './config.ts'

export const bridge: Service = { name: 'Heliograph Bridge', version: '1.0', prefix: 'BRIDGE' }

const info = { name: bridge.name, repository: 'heliograph', version: bridge.version }

/**
 * Starts a bridge; what `settings` leaves out is as in the table of rows. Throws if the folder or the address cannot be
 * had.
 */
export const startBridge = async (settings: Partial<BridgeConfig> = {}): Promise<Running> => {
  const config: BridgeConfig = { ...defaultsOf(bridgeRows), ...settings }
  const { log, metrics, refused, store, key, webhooks, close } = await openParts('bridge', config)
  return serve({
    service: bridge,
    config,
    routes: {
      '/info': { GET: () => json(info) },
      '/public-key': publicKeyRoute(key),
      '/subscribe': { POST: registrationRoute(webhooks, config.webhookToken) },
    },
    log,
    metrics,
    refused,
    failure: store.failure,
    dispose: close,
  })
}
