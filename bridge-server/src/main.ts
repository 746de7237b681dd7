/** The bridge as a process: `npm run bridge`. */
import { run } from '@heliograph/shared/server/run'
import { bridgeRows } from './config.ts'
import { bridge, startBridge } from './server.ts'

await run({ command: 'npm run bridge --', service: bridge, rows: bridgeRows, start: startBridge })
