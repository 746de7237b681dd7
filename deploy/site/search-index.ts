/** Makes the search index. The site loads it as a script, because a page on a disk cannot fetch a file. */
import { pageOf } from './links.ts'
import type { Document } from './markdown.ts'

/** A section: number of its page, anchor, heading, texts. */
export type IndexedSection = readonly [page: number, anchor: string, heading: string, texts: readonly string[]]

export type SearchIndex = {
  /** Path and title of each page. */
  pages: readonly (readonly [path: string, title: string])[]
  sections: readonly IndexedSection[]
}

/** Indexes documents in the order of the navigation. */
export const indexOf = (documents: readonly Document[]): SearchIndex => ({
  pages: documents.map(({ path, title }) => [pageOf(path), title]),
  sections: documents.flatMap(({ sections }, page) =>
    sections.map(
      ({ heading: { id, depth, text }, texts }) =>
        [page, depth === 1 ? '' : id, depth === 1 ? '' : text, texts] as const,
    ),
  ),
})

/** Encodes the index as a classic script that sets `searchIndex`. */
export const indexScript = (index: SearchIndex): string => `globalThis.searchIndex = ${JSON.stringify(index)}\n`
