/** Parses URLs from external input. */

/**
 * Parses a URL. Returns undefined for any other text. `URL.canParse` is not used anywhere: once Node 20 has optimized
 * it, it rejects hosts with letters such as ü.
 */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
