/**
 * Nodes on this machine that stand in for the public nodes of the wallet's offer, and a copy of the extension whose
 * catalogue names them.
 */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListedNetwork } from '../../extension/src/messages.ts'
import { OFFERED_CHAINS } from '../../extension/src/wallet/networks/public-nodes.ts'

export type LocalNodes = {
  /** Returns the URL of a node of this chain. */
  urlOf(chainId: number, operator: string): string
  /** The requested methods, each with the chain id: `1 eth_chainId`. */
  asked: string[]
  stop(): Promise<void>
}

type Call = { id: unknown; method: string }

const toJson = (call: Call): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(call),
})

/**
 * Starts nodes on which every account holds `wei`. They answer only what the wallet reads without a token. The calls of
 * the chains in `real`, by chain id, are forwarded to the node at the URL.
 */
export const startLocalNodes = async (
  wei: bigint,
  real: Readonly<Record<number, string>> = {},
): Promise<LocalNodes> => {
  const asked: string[] = []
  const resultOf = (chainId: number, method: string): string | undefined => {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method === 'eth_blockNumber') return '0x10'
    return method === 'eth_getBalance' ? `0x${wei.toString(16)}` : undefined
  }
  const server = createServer(async (request, response) => {
    const chainId = Number(request.url?.split('/')[1])
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = async (call: Call): Promise<unknown> => {
      const { id, method } = call
      asked.push(`${chainId} ${method}`)
      const target = real[chainId]
      if (target !== undefined) return (await fetch(target, toJson(call))).json()
      const result = resultOf(chainId, method)
      const error = { code: -32601, message: 'not available here' }
      return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }
    }
    const calls: Call | Call[] = JSON.parse(body)
    const answers = Array.isArray(calls) ? await Promise.all(calls.map(answer)) : await answer(calls)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    urlOf: (chainId, operator) => `${origin}/${chainId}/${encodeURIComponent(operator)}`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Copies an extension into a new folder, with these nodes in the place of the offer's public nodes. */
export const withLocalNodes = async (extension: string, { urlOf }: LocalNodes): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'heliograph-nodes-'))
  await cp(extension, copy, { recursive: true })
  const path = join(copy, 'networks.json')
  const catalogue: readonly ListedNetwork[] = JSON.parse(await readFile(path, 'utf8'))
  const local = catalogue.map(network => ({
    ...network,
    nodes: OFFERED_CHAINS.includes(network.chainId)
      ? network.nodes.map(({ operator }) => ({ operator, url: urlOf(network.chainId, operator) }))
      : network.nodes,
  }))
  await writeFile(path, JSON.stringify(local))
  return copy
}
