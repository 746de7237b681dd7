/** A local IPFS gateway with good and hostile files, and a tracker that nothing may contact. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'

/** A valid content identifier of the folder with all files. */
export const CID = `Qm${'a'.repeat(44)}`

export type Gateway = {
  url: string
  /** A URL outside of the gateway's content. It must never be requested. */
  tracker: string
  /** The requested paths, in order. */
  asked: string[]
  stop(): Promise<void>
}

const crcOf = (bytes: Uint8Array): number => {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ~crc >>> 0
}
const chunk = (name: string, content: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crcOf(body))
  return Buffer.concat([length, body, check])
}

/** Returns a black PNG picture with unfiltered rows and one byte per pixel: https://www.w3.org/TR/png-3/ */
const png = (width: number, height: number, rows: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const pixels = deflateSync(Buffer.alloc(rows * (width + 1)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
const laughs = `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities}]><svg ${NAMESPACE}><text>&e9;</text></svg>`
const levels = Array.from(
  { length: 30 },
  (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(10)}</g>`,
).join('')
const multiplied = `<svg ${NAMESPACE}><rect id="g0" width="9" height="9"/>${levels}</svg>`

/** Files by name: one picture that is shown, and pictures that must not be shown. */
const FILES: Readonly<Record<string, Buffer | string>> = {
  good: png(60, 40, 40),
  huge: png(60_000, 60_000, 10),
  page: '<html><script>alert(1)</script></html>',
  laughs,
  multiplied,
  torn: png(60, 40, 40).subarray(0, 40),
}
export const HOSTILE = [...Object.keys(FILES).filter(name => name !== 'good'), 'endless'] as const
/** Pictures that do not arrive: the gateway redirects to another server, or has no such file. */
export const AWAY = ['moved', 'absent'] as const

const sendEndless = (response: ServerResponse): void => {
  response.write(Buffer.alloc(64 << 10), () => !response.destroyed && setImmediate(sendEndless, response))
}

/** Serves the files by name. The metadata `NAME.json` names the picture `NAME`. */
export const startGateway = async (): Promise<Gateway> => {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const [, name = '', isMetadata] = /^\/ipfs\/\w+\/(\w+)(\.json)?$/.exec(url) ?? []
    const file = FILES[name]
    if (isMetadata) response.end(JSON.stringify({ name: `The ${name} cat`, image: `ipfs://${CID}/${name}` }))
    else if (name === 'endless') sendEndless(response)
    else if (name === 'moved') response.writeHead(302, { location: '/tracked' }).end()
    else if (file === undefined) response.writeHead(404).end()
    else response.end(file)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    tracker: `${url}/tracked`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
