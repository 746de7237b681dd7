/** The events that the proxy adds, with a browser that answers no script. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openBidiProxy } from './bidi-proxy.ts'

/** A browser that has committed a page of an extension in the context `closed`, which is gone, and in `hanging`. */
const startBrowser = async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', socket => {
    socket.on('message', data => {
      const { id, method, params } = JSON.parse(String(data))
      if (method !== 'browsingContext.getTree') return
      const isGone = params.root === 'closed'
      socket.send(JSON.stringify({ id, ...(isGone ? { type: 'error', error: 'no such frame' } : { type: 'success' }) }))
    })
    for (const context of ['hanging', 'closed']) {
      const params = { context, url: 'moz-extension://wallet/approval.html' }
      socket.send(JSON.stringify({ type: 'event', method: 'browsingContext.navigationCommitted', params }))
    }
  })
  return server
}

test('the end of a page is reported although no page answers', async () => {
  const browser = await startBrowser()
  const proxy = await openBidiProxy()
  const driver = new WebSocket(`${proxy.url}/${(browser.address() as AddressInfo).port}/session`)
  const ended: unknown[] = []
  driver.on('message', data => {
    const { method, params } = JSON.parse(String(data))
    if (method === 'browsingContext.contextDestroyed') ended.push(params.context)
  })
  await expect.poll(() => ended).toEqual(['closed'])
  driver.close()
  await proxy.close()
  browser.close()
})
