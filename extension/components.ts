/** Compiles the wallet's Svelte components, for the build and for tests. */
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'

/**
 * Creates elements one by one instead of parsing HTML. No page assigns `innerHTML`, so no page can be made to parse
 * text as HTML.
 */
export const components = (): Plugin[] => svelte({ configFile: false, compilerOptions: { fragments: 'tree' } })
