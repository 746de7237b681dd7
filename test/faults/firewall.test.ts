/**
 * `deploy/nftables.conf` in the kernel: the rate of each address's connections is limited, without delaying other
 * addresses.
 */
import { beforeAll, expect, test } from 'vitest'
import { outcomeOf, spawnProgram } from '../support/child.ts'

/** The test runs in a network of its own, so this port is free. */
const PORT = '5555'

const [RATE, BURST] = [50, 100]

type Arrivals = { flooded: number; others: number; seconds: number }
let results: { ipv4: Arrivals; ipv6: Arrivals; patient: number }

beforeAll(async () => {
  const clients = [process.execPath, '--import', 'tsx', 'test/faults/firewall-clients.ts', PORT]
  const behind = ['--map-root-user', '--net', 'sh', 'test/support/behind-firewall.sh', PORT]
  const { code, said } = await outcomeOf(spawnProgram('unshare', [...behind, ...clients]))
  expect(code, said).toBe(0)
  results = JSON.parse(said)
}, 120_000)

test.each([
  { name: 'an IPv4 address', family: 'ipv4' },
  { name: 'an IPv6 /64', family: 'ipv6' },
] as const)('$name is limited to its rate, and others can connect meanwhile', ({ family }) => {
  const { flooded, others, seconds } = results[family]
  expect(others).toBe(50)
  expect(flooded).toBeGreaterThan(0)
  expect(flooded).toBeLessThanOrEqual(BURST + RATE * seconds + 1)
})

test('connections above the rate arrive later', () => {
  expect(results.patient).toBe(120)
})
