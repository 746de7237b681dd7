/** The server of the package heliograph-relay. */
import { relayProgram } from '../../../relay-server/src/program.ts'
import { launch } from './launch.ts'

await launch(relayProgram, import.meta.url)
