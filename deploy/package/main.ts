/** `npm run package`: writes everything that is published into dist/, and prints the SHA-256 of each file. */
import { publish } from './artefacts.ts'
import { makeAll } from './makers.ts'

publish(await makeAll())
