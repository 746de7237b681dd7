/** Build information: the version of the packages and, in a git clone, the commit. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url))
/** Length of an abbreviated commit hash. */
const SHORT = 7

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Resolves HEAD of a git directory: https://git-scm.com/docs/gitrepository-layout */
const commitOf = (folder: string): string | undefined => {
  const head = read(`${folder}/HEAD`)
  if (!head?.startsWith('ref: ')) return head
  const ref = head.slice('ref: '.length)
  const packed = read(`${folder}/packed-refs`)
    ?.split('\n')
    .find(line => line.endsWith(` ${ref}`))
  return read(`${folder}/${ref}`) ?? packed?.split(' ')[0]
}

export type Build = { version: string; commit: string | undefined }

export const readBuild = (root = ROOT): Build => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'))
  return { version: String(version), commit: commitOf(`${root}/.git`)?.slice(0, SHORT) }
}
