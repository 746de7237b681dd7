/** Local sites. Every name under localhost is a separate origin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Web = {
  /** Returns a site's origin. */
  origin(name: string): string
  stop(): Promise<void>
}

/** Starts the sites. `pages` are HTML bodies by path, the same on all sites. */
export const startWeb = async (pages: Readonly<Record<string, string>>): Promise<Web> => {
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const page = pages[pathname]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page === undefined ? '' : `<!doctype html><title>${pathname}</title>${page}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: name => `http://${name}.localhost:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
