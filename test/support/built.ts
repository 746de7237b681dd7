/** Builds what the browser tests load, before any of them starts: a build can take longer than a hook may on a busy machine. */
import { builtExtension, releasedExtension } from './build.ts'
import { isComplete } from './suite.ts'

export default async (): Promise<void> => {
  await builtExtension()
  if (isComplete) await releasedExtension()
}
