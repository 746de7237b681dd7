/** Entry point of the relay process in a clone: `npm run relay`. */
import { processSources } from '@heliograph/shared/server/process/config'
import { runProgram } from '@heliograph/shared/server/service/program'
import { relayProgram } from './program.ts'

await runProgram(relayProgram, 'npm run relay --', processSources())
