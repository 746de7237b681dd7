/** The relay's name, protocol version, and prefix of its environment variables. */
import type { Service } from '@heliograph/shared/server/transport/service'

export const relay: Service = { name: 'Heliograph Relay', version: '2.0', prefix: 'RELAY' }
