/** Checks the conditions for a release on facts that `main.ts` gathers. */

export type Facts = {
  /** Version in the repository's package.json. */
  version: string
  /** Versions by path: in the package.json of each workspace, and of each workspace in the lock file. */
  versions: Readonly<Record<string, string | undefined>>
  changelog: string
  branch: string
  /** `git status --porcelain`: empty if nothing was changed. */
  changes: string
  tags: readonly string[]
  /** Versions of the wallet whose stored data is kept for the tests. */
  storedData: readonly string[]
}

export type Item = { title: string; problem?: string }

const VERSION = /^\d+\.\d+\.\d+$/

/** True if the changelog has the version's heading with a date: `## 0.1.0 - 2026-11-26`. */
const dated = (changelog: string, version: string): boolean =>
  changelog.split('\n').some(line => line.startsWith(`## ${version} - `) && /\d{4}-\d{2}-\d{2}$/.test(line))

/** Returns the tag of a version: `v0.1.0`. */
export const tagOf = (version: string): string => `v${version}`

/** Returns all conditions, each with a description of the problem if it is not met. */
export const checklist = (facts: Facts): Item[] => {
  const { version, versions, changelog, branch, changes, tags, storedData } = facts
  const others = Object.entries(versions).filter(([, other]) => other !== version)
  const item = (title: string, holds: boolean, problem: string): Item => (holds ? { title } : { title, problem })
  return [
    item('The branch is main', branch === 'main', `it is ${branch}`),
    item('Everything is committed', changes === '', changes),
    item('The version is a release', VERSION.test(version), `${version} is not of the form 1.2.3`),
    item(
      'All packages have this version',
      others.length === 0,
      others.map(([path, other]) => `${path} has ${other}`).join(', '),
    ),
    item(
      'The changelog has this version with its date',
      dated(changelog, version),
      `CHANGELOG.md has no heading "## ${version} - YYYY-MM-DD"`,
    ),
    item('This version was not released before', !tags.includes(tagOf(version)), `the tag ${tagOf(version)} exists`),
    item(
      'Data that this version of the wallet stores is kept for the tests of later versions',
      storedData.includes(version),
      `there is data of ${storedData.join(', ') || 'no version'} only`,
    ),
  ]
}
