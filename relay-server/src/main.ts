/** Entry point of the relay process: `npm run relay`. */
import { processSources } from '@heliograph/shared/server/process/config'
import { run } from '@heliograph/shared/server/service/run'
import { asksForCheck, runCheck } from '@heliograph/shared/server/storage/check'
import { relayRows } from './config.ts'
import { numberOf } from './mailbox/message-log.ts'
import { relay, startRelay } from './server.ts'

const { args } = processSources()
if (asksForCheck(args)) process.exitCode = await runCheck(args, numberOf)
else await run({ command: 'npm run relay --', service: relay, rows: relayRows, start: startRelay })
