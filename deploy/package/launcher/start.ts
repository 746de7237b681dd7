/** The first script of a package: runs under any Node with modules, and so has no await outside of functions. */
import { requireNode, SetupError } from '../../../fallback-node.js'

/** Loads a server, or ends with one line if the running Node is too old for it. */
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
