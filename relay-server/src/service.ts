/** Names of the relay. */
import type { Service } from '@heliograph/shared/server/transport/service'

export const relay: Service = { name: 'Heliograph Relay', version: '2.0', prefix: 'RELAY' }
