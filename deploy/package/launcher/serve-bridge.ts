/** The server of the package heliograph-bridge. */
import { bridgeProgram } from '../../../bridge-server/src/program.ts'
import { launch } from './launch.ts'

await launch(bridgeProgram, import.meta.url)
