/** The bridge's name, protocol version, and prefix of its environment variables. */
import type { Service } from '@heliograph/shared/server/transport/service'

export const bridge: Service = { name: 'Heliograph Bridge', version: '1.0', prefix: 'BRIDGE' }
