/** An RPC endpoint that forwards calls to a real node and can pause them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { id: unknown; method: string; params?: readonly unknown[] }

export type PausedCall = {
  /** Resolves when the node endpoint receives the call. */
  reached: Promise<void>
  /** Continues the call, if its client is still connected. */
  release(): void
}

export type PausableNode = {
  url: string
  /** Returns a URL at which the same node reports another chain id. */
  urlAs(chainId: string): string
  /** Pauses the next call of a method, before it is forwarded to the node or before its response is sent. */
  pause(method: string, moment: 'before' | 'after'): PausedCall
  /** Returns the first parameter of every call of a method. */
  asked(method: string): readonly unknown[]
  /** Every call in order, also those in batches, as its method and its parameters in JSON. */
  calls(): readonly string[]
  stop(): Promise<void>
}

type Pause = { method: string; moment: 'before' | 'after'; reach(): void; released: Promise<void> }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const answer = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)

export const startPausableNode = async (target: string): Promise<PausableNode> => {
  const pauses: Pause[] = []
  const calls: Call[] = []

  const wait = async (method: string, moment: Pause['moment']) => {
    const at = pauses.findIndex(pause => pause.method === method && pause.moment === moment)
    const [pause] = at < 0 ? [] : pauses.splice(at, 1)
    pause?.reach()
    await pause?.released
  }
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const call: Call = JSON.parse(body)
    calls.push(...[call].flat())
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
    pause: (method, moment) => {
      let reach = () => {}
      let release = () => {}
      const reached = new Promise<void>(resolve => {
        reach = resolve
      })
      const released = new Promise<void>(resolve => {
        release = resolve
      })
      pauses.push({ method, moment, reach, released })
      return { reached, release }
    },
    asked: method => calls.filter(call => call.method === method).map(({ params }) => params?.[0]),
    calls: () => calls.map(({ method, params }) => `${method} ${JSON.stringify(params)}`),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
