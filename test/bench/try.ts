/** t */
import { join } from 'node:path'
import { builtExtension } from '../build.ts'
import { driveChromium } from '../chromium.ts'
import { driveFirefox } from '../firefox.ts'
import { measureRemote } from './remote.ts'
const extension = await builtExtension()
console.log('chromium', await measureRemote({ drive: driveChromium, extension, times: 9, isAsleep: true }), new Date())
console.log('firefox', await measureRemote({ drive: driveFirefox, extension: join(extension, '../firefox'), times: 9, isAsleep: false }), new Date())
