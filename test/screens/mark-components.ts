/** Records in a preview which Svelte components it has drawn. */
import { relative } from 'node:path'
import type { Plugin } from 'vite'
import { root } from '../support/root.ts'

declare global {
  interface Window {
    /** Paths, relative to the repository, of the components that the page has drawn. Absent until it draws one. */
    drawn?: Set<string>
  }
}

/** Adds a line to each compiled component that records its path when it is drawn. */
export const markComponents = (): Plugin => ({
  name: 'mark-components',
  transform: (code, id) => {
    if (!id.endsWith('.svelte')) return undefined
    const path = JSON.stringify(relative(root, id))
    const marked = code.replace(
      /^export default function \w+\(.*\) \{$/m,
      start => `${start} (window.drawn ??= new Set()).add(${path});`,
    )
    if (marked === code) throw new Error(`the compiled ${path} has no default export of the expected form`)
    return { code: marked, map: null }
  },
})
