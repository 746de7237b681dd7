/** Names of the bridge. */
import type { Service } from '@heliograph/shared/server/transport/service'

export const bridge: Service = { name: 'Heliograph Bridge', version: '1.0', prefix: 'BRIDGE' }
