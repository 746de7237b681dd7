/** Parsing of URLs from outside. */

/**
 * The URL in `text`; undefined if it is none. `URL.canParse` is not used anywhere: once optimized, that of Node 20 refuses
 * hosts with letters such as ü.
 */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
