/** The relay as a process: `npm run relay`. */
import { run } from '@heliograph/shared/server/run'
import { relayRows } from './config.ts'
import { relay, startRelay } from './server.ts'

await run({ command: 'npm run relay --', service: relay, rows: relayRows, start: startRelay })
