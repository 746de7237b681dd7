/** Entry point of the relay process: `npm run relay`. */
import { processSources } from '@heliograph/shared/server/process/config'
import { run } from '@heliograph/shared/server/service/run'
import { asksForCheck, runCheck } from '@heliograph/shared/server/storage/check'
import { asksForBackup, runBackup } from '@heliograph/shared/server/transfer/backup'
import { asksForTransfer, runTransfer } from '@heliograph/shared/server/transfer/command'
import { relayRows } from './config.ts'
import { numberOf } from './mailbox/message-log.ts'
import { relay, startRelay } from './server.ts'
import { relayTransfer } from './transfer/relay-transfer.ts'

const sources = processSources()
if (asksForCheck(sources.args)) process.exitCode = await runCheck(sources.args, numberOf)
else if (asksForBackup(sources.args)) process.exitCode = runBackup(relayTransfer, sources)
else if (asksForTransfer(sources.args)) process.exitCode = await runTransfer(relayTransfer, sources)
else await run({ command: 'npm run relay --', service: relay, rows: relayRows, start: startRelay })
