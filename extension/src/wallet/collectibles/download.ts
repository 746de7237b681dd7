/** Downloads a file from a gateway that the user chose. */

/**
 * Returns the file, or null if it exceeds `most` bytes. Throws if the gateway is unreachable or responds with an error.
 */
export type Download = (url: string, most: number) => Promise<Uint8Array<ArrayBuffer> | null>

/** Maximum duration of a download in ms. */
export const GATEWAY_TIMEOUT = 15_000

/** Reads a response body. Returns null as soon as it exceeds `most` bytes. */
const readBytes = async (body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer> | null> => {
  const reader = body.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let length = 0; length <= most; ) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer())
    parts.push(new Uint8Array(value))
    length += value.length
  }
  await reader.cancel()
  return null
}

/** Sends no cookies and follows no redirects, because the user chose this host only. */
export const downloadWithin =
  (timeout: number): Download =>
  async (url, most) => {
    const response = await fetch(url, {
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeout),
    })
    if (!response.ok || response.body === null) throw new Error(`The gateway answered with status ${response.status}`)
    return readBytes(response.body, most)
  }
