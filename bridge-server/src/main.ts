/** Entry point of the bridge process: `npm run bridge`. */
import { processSources } from '@heliograph/shared/server/process/config'
import { run } from '@heliograph/shared/server/service/run'
import { asksForCheck, runCheck } from '@heliograph/shared/server/storage/check'
import { asksForBackup, runBackup } from '@heliograph/shared/server/transfer/backup'
import { asksForTransfer, runTransfer } from '@heliograph/shared/server/transfer/command'
import { bridgeRows } from './config.ts'
import { bridge, startBridge } from './server.ts'
import { bridgeTransfer } from './transfer/bridge-transfer.ts'

const sources = processSources()
if (asksForCheck(sources.args)) process.exitCode = await runCheck(sources.args)
else if (asksForBackup(sources.args)) process.exitCode = runBackup(bridgeTransfer, sources)
else if (asksForTransfer(sources.args)) process.exitCode = await runTransfer(bridgeTransfer, sources)
else await run({ command: 'npm run bridge --', service: bridge, rows: bridgeRows, start: startBridge })
