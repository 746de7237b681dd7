/** Reads a file from a gateway that the person chose. */

/** Null for a file of more than `most` bytes. Throws if the gateway cannot be reached, or answers with an error. */
export type Download = (url: string, most: number) => Promise<Uint8Array<ArrayBuffer> | null>

/** How long a gateway may take, in ms. */
export const GATEWAY_TIMEOUT = 15_000

/** The bytes of an answer, or null as soon as there are more than `most`. */
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

/** Without cookies and redirects, because the person chose only that host. */
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
