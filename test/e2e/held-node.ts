/** A node's endpoint that a test can hold up: it passes calls on to a real node, and keeps the one that it was told to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { id: unknown; method: string; params?: readonly unknown[] }

export type Held = {
  /** Resolves when the call is there. */
  reached: Promise<void>
  /** Lets it go on, unless whoever asked has gone. */
  release(): void
}

export type HeldNode = {
  url: string
  /** The same node, which says that it is another chain. */
  urlAs(chainId: string): string
  /** Holds up the next call of a method: before the node gets it, or before its answer goes out. */
  hold(method: string, moment: 'before' | 'after'): Held
  /** The first params of all calls of a method. */
  asked(method: string): readonly unknown[]
  stop(): Promise<void>
}

type Hold = { method: string; moment: 'before' | 'after'; reach(): void; released: Promise<void> }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const answer = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)

export const startHeldNode = async (target: string): Promise<HeldNode> => {
  const holds: Hold[] = []
  const calls: Call[] = []

  const wait = async (method: string, moment: Hold['moment']) => {
    const at = holds.findIndex(hold => hold.method === method && hold.moment === moment)
    const [hold] = at < 0 ? [] : holds.splice(at, 1)
    hold?.reach()
    await hold?.released
  }
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const call: Call = JSON.parse(body)
    calls.push(call)
    await wait(call.method, 'before')
    if (response.destroyed) return
    const [, chainId] = /^\/as\/(0x[0-9a-f]+)$/.exec(request.url ?? '') ?? []
    if (call.method === 'eth_chainId' && chainId)
      return answer(response, JSON.stringify({ jsonrpc: '2.0', id: call.id, result: chainId }))
    const headers = { 'content-type': 'application/json' }
    const said = await (await fetch(target, { method: 'POST', headers, body })).text()
    await wait(call.method, 'after')
    if (!response.destroyed) answer(response, said)
  }

  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    urlAs: chainId => `${url}/as/${chainId}`,
    hold: (method, moment) => {
      let reach = () => {}
      let release = () => {}
      const reached = new Promise<void>(resolve => {
        reach = resolve
      })
      const released = new Promise<void>(resolve => {
        release = resolve
      })
      holds.push({ method, moment, reach, released })
      return { reached, release }
    },
    asked: method => calls.filter(call => call.method === method).map(({ params }) => params?.[0]),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
