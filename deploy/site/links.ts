/** Turns links between documents into links between pages, and finds dead links. */
import { posix } from 'node:path'
import type { Document } from './markdown.ts'
import { HOME } from './navigation.ts'

/** Returns the content of a file of the repository, or undefined if it does not exist. */
export type Source = (path: string) => Uint8Array | undefined

export type Target = {
  /** Link relative to the document's page. */
  href: string
  /** Path of the linked file in the repository, if it is not a document. */
  file?: string
  isExternal: boolean
}

const IMAGE = /\.(?:png|svg)$/
const EXTERNAL = /^https:\/\//
const SCHEME = /^[a-z][a-z\d+.-]*:/i

export const isImage = (path: string): boolean => IMAGE.test(path)

/** Returns the path of the page that shows a document or another file. An image is copied unchanged. */
export const pageOf = (path: string): string => {
  if (path === HOME) return 'index.html'
  if (isImage(path)) return path
  return path.endsWith('.md') ? path.replace(/\.md$/, '.html') : `${path}.html`
}

/** Returns a relative link from one file of the site to another, which works from a disk and below any address. */
export const relative = (from: string, to: string): string => posix.relative(posix.dirname(from), to)

/** Resolves the links of a document. */
export type Resolve = (document: Document, href: string) => Target

/**
 * Resolves links between the documents and to other files. Throws an error that names the document and the dead link.
 */
export const createResolve =
  (documents: ReadonlyMap<string, Document>, source: Source): Resolve =>
  ({ path: from }, href) => {
    const dead = (why: string) => new Error(`${from} links to ${href}, ${why}`)
    if (EXTERNAL.test(href)) return { href, isExternal: true }
    if (SCHEME.test(href) || href.startsWith('/')) throw dead('which is neither relative nor https')
    const [file = '', anchor] = href.split('#')
    const path = file === '' ? from : posix.join(posix.dirname(from), decodeURIComponent(file))
    const target = documents.get(path)
    if (!target && !source(path)) throw dead('which does not exist')
    if (anchor !== undefined && ![...(target?.headings.values() ?? [])].some(({ id }) => id === anchor))
      throw dead('which has no such heading')
    const place = path === from ? '' : relative(pageOf(from), pageOf(path))
    const resolved = { href: `${place}${anchor === undefined ? '' : `#${anchor}`}` || '#', isExternal: false }
    return target ? resolved : { ...resolved, file: path }
  }
