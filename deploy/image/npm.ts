/** Downloads pinned packages from npm. Installs nothing. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { downloadPackage, npmCommand, type PinnedPackage, requireHash } from '../../fallback-node.js'
import { cached } from './cache.ts'

const npm = async (...args: string[]): Promise<boolean> => {
  const [command, ...first] = npmCommand()
  await promisify(execFile)(command, [...first, ...args])
  return true
}

/** Returns the path of a package's archive. Checks its hash each time. */
export const archivePath = async (pinned: PinnedPackage): Promise<string> => {
  const { name, version, hash } = pinned
  const path = await cached(`${name}-${version}.tgz`, async folder => {
    const archive = await downloadPackage(folder, pinned, npm)
    if (archive === undefined) throw new Error(`${name}@${version} cannot be downloaded`)
    return archive
  })
  requireHash(path, hash)
  return path
}
