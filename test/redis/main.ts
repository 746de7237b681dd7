/**
 * Runs `npm run storm`: 100,000 publishes to relays on one Redis server, while relays and Redis are killed at random.
 * Prints figures.
 */
import { parseArgs } from 'node:util'
import { runStorm } from './storm.ts'

const { values } = parseArgs({
  options: {
    relays: { type: 'string', default: '3' },
    topics: { type: 'string', default: '200' },
    publishes: { type: 'string', default: '500' },
    kills: { type: 'string', default: '20' },
    'redis-kills': { type: 'string', default: '5' },
    seed: { type: 'string', default: `${Date.now() % 2 ** 32}` },
  },
})

const figures = await runStorm({
  seed: Number(values.seed),
  relays: Number(values.relays),
  topics: Number(values.topics),
  publishes: Number(values.publishes),
  relayKills: Number(values.kills),
  redisKills: Number(values['redis-kills']),
})
console.log({ seed: values.seed, ...figures })
const broken = figures.lost + figures.outOfOrder + figures.afterAcknowledgement
process.exit(broken === 0 ? 0 : 1)
