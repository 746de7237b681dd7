/** Entry point of the bridge process: `npm run bridge`. */
import { processSources } from '@heliograph/shared/server/process/config'
import { run } from '@heliograph/shared/server/service/run'
import { asksForCheck, runCheck } from '@heliograph/shared/server/storage/check'
import { bridgeRows } from './config.ts'
import { bridge, startBridge } from './server.ts'

const { args } = processSources()
if (asksForCheck(args)) process.exitCode = await runCheck(args)
else await run({ command: 'npm run bridge --', service: bridge, rows: bridgeRows, start: startBridge })
