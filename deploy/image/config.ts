/** Configures the image's containers like the Dockerfile does. test/house/image.test.ts compares both. */
import type { ContainerConfig } from './oci.ts'

const SECOND = 1_000_000_000

/**
 * The unprivileged user. Its ids are the same as in the official Node image, so that both images can use the same
 * volume.
 */
export const USER = { name: 'node', uid: 1000, gid: 1000 }
export const DATA = '/data'

/** Folder of the servers' packages and commands. */
export const SERVERS = '/opt/heliograph'

const HEALTH = "fetch('http://127.0.0.1:8080/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"

export const configOf = (version: string): ContainerConfig => ({
  User: USER.name,
  Env: [
    'NODE_ENV=production',
    `PATH=${SERVERS}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    'RELAY_HOST=0.0.0.0',
    'RELAY_PORT=8080',
    `RELAY_DATA_DIR=${DATA}`,
    'BRIDGE_HOST=0.0.0.0',
    'BRIDGE_PORT=8080',
    `BRIDGE_DATA_DIR=${DATA}`,
  ],
  Cmd: ['heliograph-relay'],
  ExposedPorts: { '8080/tcp': {} },
  Volumes: { [DATA]: {} },
  Labels: {
    'org.opencontainers.image.title': 'Heliograph',
    'org.opencontainers.image.description': 'The relay and the bridge for remote sessions of wallets',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  },
  Healthcheck: {
    Test: ['CMD', 'node', '-e', HEALTH],
    Interval: 10 * SECOND,
    Timeout: 5 * SECOND,
    StartPeriod: 30 * SECOND,
  },
})
