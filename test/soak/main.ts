/** Runs `npm run soak -- --minutes=60 --kills=20`: a relay under long load, with random kills and a full disk. */
import { parseArgs } from 'node:util'
import { isFlat, soak } from './soak.ts'

const MESSAGE_BYTES = 300

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    kills: { type: 'string', default: '20' },
    rate: { type: 'string', default: '2000' },
    ttl: { type: 'string', default: '60' },
    seed: { type: 'string' },
  },
})
const [minutes, kills, rate, ttl] = [values.minutes, values.kills, values.rate, values.ttl].map(Number)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
if (!(minutes && minutes > 0 && rate && rate > 0 && ttl && ttl > 0 && kills !== undefined && kills >= 0))
  throw new Error('--minutes, --rate and --ttl must be numbers above 0, --kills a number from 0')

console.log(`seed ${seed}`)
const result = await soak({ seconds: minutes * 60, kills, rate, bytes: MESSAGE_BYTES, ttl, seed })
console.log(JSON.stringify(result, undefined, 2))
const { lost, missing, outOfOrder, late, aborts, memory, disk } = result
const isPassed = lost + missing + outOfOrder + late + aborts === 0 && isFlat(memory) && isFlat(disk)
console.log(isPassed ? 'passed' : 'failed')
process.exitCode = isPassed ? 0 : 1
