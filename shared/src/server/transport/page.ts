/**
 * A self-contained status page and its figures. The page's Content Security Policy allows only the inline script
 * and style, and loading the figures.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bears, CHALLENGE, refuseStranger } from './bearer.ts'
import type { Route } from './http.ts'

/** Reads a page, with the style sheets and scripts that it names by relative paths inlined. */
export const readPage = (url: URL): string => {
  const read = (path: string) => readFileSync(new URL(path, url), 'utf8')
  return readFileSync(url, 'utf8')
    .replace(/<link rel="stylesheet" href="([^"]+)" \/>/g, (_, path) => `<style>${read(path)}</style>`)
    .replace(/<script src="([^"]+)"><\/script>/g, (_, path) => `<script>${read(path)}</script>`)
}

/**
 * Returns the hashes of inline code for the Content Security Policy:
 * https://www.w3.org/TR/CSP3/#match-element-to-source-list
 */
const hashesOf = (html: string, element: 'script' | 'style'): string =>
  [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))]
    .map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
    .join(' ')

const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOf(html, 'script')}`,
    `style-src ${hashesOf(html, 'style')}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Returns the route of the page. The page contains no figures. A request without the token gets status 401 and the
 * page, which asks for the token.
 */
export const pageRoute = (html: string, token: string | undefined): Route => {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(html),
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
  }
  return {
    GET: request =>
      bears(request, token)
        ? { status: 200, headers, body: html }
        : { status: 401, headers: { ...headers, ...CHALLENGE }, body: html },
  }
}

/** Returns the route of the figures as JSON, which requires the token. */
export const figuresRoute = (read: () => string | Promise<string>, token: string | undefined): Route => ({
  GET: async request => {
    refuseStranger(request, token)
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
    return { status: 200, headers, body: await read() }
  },
})
