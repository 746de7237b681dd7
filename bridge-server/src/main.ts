/** Entry point of the bridge process in a clone: `npm run bridge`. */
import { processSources } from '@heliograph/shared/server/process/config'
import { runProgram } from '@heliograph/shared/server/service/program'
import { bridgeProgram } from './program.ts'

await runProgram(bridgeProgram, 'npm run bridge --', processSources())
