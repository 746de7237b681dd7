/**
 * Builds the extension before any browser test starts: on a busy machine, a build can exceed the time limit of a hook.
 */
import { builtExtension, releasedExtension } from './build.ts'
import { isComplete } from './suite.ts'

export default async (): Promise<void> => {
  await builtExtension()
  if (isComplete) await releasedExtension()
}
