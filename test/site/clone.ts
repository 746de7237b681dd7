/**
 * Makes the working tree a repository that `git clone` of the documented address copies, with the installed packages
 * linked and the extension built, as after earlier commands in the clone.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from '../house/sources.ts'
import { releasedExtension } from '../support/build.ts'
import { root } from '../support/root.ts'

/** The documented address of the repository. */
export const ADDRESS = 'https://github.com/heliograph/heliograph'

/**
 * Git hook that links the installed packages into a fresh clone, and copies the released extension, so that `npm start`
 * does not build it again. The project's own packages become links into the clone.
 */
const hook = `#!/bin/sh
set -e
mkdir -p extension/dist
cp -R "${root}"extension/dist/chrome "${root}"extension/dist/firefox "${root}"extension/dist/made-from extension/dist/
mkdir node_modules
ln -s "${root}"node_modules/* "${root}"node_modules/.bin "${root}"node_modules/.package-lock.json node_modules/
rm node_modules/@heliograph
cp -R "${root}"node_modules/@heliograph node_modules/
`

/**
 * Copies the working tree, committed or not, into a repository in `folder`. Returns an environment in which git clones
 * that repository instead of the documented address.
 */
export const prepareClone = async (folder: string): Promise<NodeJS.ProcessEnv> => {
  await releasedExtension()
  const origin = join(folder, 'origin')
  for (const path of filesBelow()) {
    mkdirSync(dirname(join(origin, path)), { recursive: true })
    cpSync(join(root, path), join(origin, path))
  }
  const template = join(folder, 'template')
  mkdirSync(join(template, 'hooks'), { recursive: true })
  writeFileSync(join(template, 'hooks/post-checkout'), hook)
  chmodSync(join(template, 'hooks/post-checkout'), 0o755)

  const env = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
    GIT_CONFIG_VALUE_0: ADDRESS,
    GIT_CONFIG_KEY_1: 'advice.detachedHead',
    GIT_CONFIG_VALUE_1: 'false',
  }
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: origin, env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git(...identity, 'commit', '--quiet', '--message', 'The working tree')
  return { ...env, GIT_TEMPLATE_DIR: template }
}
