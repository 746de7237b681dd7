/** An RPC endpoint that forwards calls to a real node and changes the results of some. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Call = { id: unknown; method: string; params?: readonly unknown[] }
type Answer = { id: unknown; result?: unknown }

/** Returns another result for a call, or undefined for the true one. */
export type Lie = (call: Call) => unknown

export type LyingNode = { url: string; stop(): Promise<void> }

export const startLyingNode = async (target: string, lie: Lie): Promise<LyingNode> => {
  const answer = async (body: string): Promise<string> => {
    const asked: Call | Call[] = JSON.parse(body)
    const headers = { 'content-type': 'application/json' }
    const said: Answer | Answer[] = await (await fetch(target, { method: 'POST', headers, body })).json()
    const told = (one: Answer): Answer => {
      const call = [asked].flat().find(({ id }) => id === one.id)
      const instead = call && lie(call)
      return instead === undefined ? one : { ...one, result: instead }
    }
    return JSON.stringify(Array.isArray(said) ? said.map(told) : told(said))
  }
  const server = createServer(async (request, response) => {
    try {
      response.writeHead(200, { 'content-type': 'application/json' }).end(await answer(await text(request)))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
