/** `npm run image`: writes the image of the servers into dist/, and prints its SHA-256. */
import { publish } from '../package/artefacts.ts'
import { makeImage } from './image.ts'

publish([await makeImage()])
