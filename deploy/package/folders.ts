/** The packages that the modules of a build are in. */

/** A path up to the folder of a package, the innermost one. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** Folders of the packages that hold these modules. Modules of the repository itself are in none. */
export const foldersOf = (modules: Iterable<string>): ReadonlySet<string> =>
  new Set([...modules].flatMap(path => PACKAGE.exec(path)?.[0] ?? []))
