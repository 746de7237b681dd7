/** First script of a package. It runs under any version of Node with modules, so it has no top-level await. */
import { requireNode, SetupError } from '../../../fallback-node.js'

/** Loads a server, or prints one line and exits with 1 if the running version of Node is too old. */
export const startWith = (program: string, load: () => Promise<unknown>): void => {
  try {
    requireNode(program)
  } catch (thrown) {
    if (!(thrown instanceof SetupError)) throw thrown
    process.stderr.write(`${thrown.message}\n`)
    process.exitCode = 1
    return
  }
  void load()
}
