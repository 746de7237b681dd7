/** `npm run image`: writes the servers' image and its bill of materials into dist/, and prints the SHA-256 of both. */
import { publish } from '../package/artefacts.ts'
import { serverPackages } from '../package/servers.ts'
import { makeImage } from './image.ts'

publish(await makeImage(await serverPackages()))
