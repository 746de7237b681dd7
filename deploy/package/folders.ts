/** Finds the packages that contain a build's modules. */

/** Matches a path up to the folder of its innermost package. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** Returns the folders of the packages that contain these modules. The repository's own modules are in none. */
export const foldersOf = (modules: Iterable<string>): ReadonlySet<string> =>
  new Set([...modules].flatMap(path => PACKAGE.exec(path)?.[0] ?? []))
