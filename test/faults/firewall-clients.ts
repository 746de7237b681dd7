/**
 * Connects to itself from many addresses, behind `deploy/nftables.conf`, and prints what `firewall.test.ts` asserts.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const port = Number(process.argv[2])

/** Two addresses in the same /64, and one address in another. */
const [FIRST, SECOND, OTHER] = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'] as const
for (const address of [FIRST, SECOND, OTHER])
  execFileSync('ip', ['address', 'add', `${address}/128`, 'dev', 'lo', 'nodad'])

const server = createServer().listen(port, '::')
await once(server, 'listening')

type Burst = { arrived: () => number; all: Promise<unknown>; end: () => void }

/** Opens these connections at once. */
const open = (count: number, localAddress: string): Burst => {
  const host = localAddress.includes(':') ? FIRST : '127.0.0.1'
  const sockets = Array.from({ length: count }, () => connect({ port, host, localAddress }))
  let arrived = 0
  const all = sockets.map(async socket => {
    await once(socket, 'connect')
    arrived += 1
  })
  return {
    arrived: () => arrived,
    all: Promise.allSettled(all),
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/**
 * Returns how many flooding connections arrived before another address's connections, and after how many seconds those
 * arrived.
 */
const arrivedBefore = async (floods: readonly string[], another: string) => {
  const begin = performance.now()
  const bursts = floods.map(address => open(1000, address))
  const others = open(50, another)
  await others.all
  const flooded = bursts.reduce((sum, { arrived }) => sum + arrived(), 0)
  const result = { flooded, others: others.arrived(), seconds: (performance.now() - begin) / 1000 }
  for (const { end } of [...bursts, others]) end()
  return result
}

const ipv4 = await arrivedBefore(['127.0.0.2'], '127.0.0.3')
const ipv6 = await arrivedBefore([FIRST, SECOND], OTHER)
const patient = open(120, '127.0.0.4')
await patient.all
process.stdout.write(JSON.stringify({ ipv4, ipv6, patient: patient.arrived() }))
process.exit()
