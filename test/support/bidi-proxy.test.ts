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

test('a window that the browser does not report is, with its realms, and is not reported twice', async () => {
  const page = { context: 'unreported', url: 'moz-extension://wallet/approval.html' }
  const known = { context: 'known', url: 'moz-extension://wallet/popup.html' }
  let realms = [{ realm: 'first', context: page.context }]
  const browser = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(browser, 'listening')
  const say = (socket: WebSocket, method: string, params: object) =>
    socket.send(JSON.stringify({ type: 'event', method, params }))
  browser.on('connection', socket => {
    say(socket, 'browsingContext.contextCreated', known)
    socket.on('message', data => {
      const { id, method, params } = JSON.parse(String(data))
      const answer = (result: object) => socket.send(JSON.stringify({ type: 'success', id, result }))
      if (method === 'browsingContext.getTree' && params.root === undefined) answer({ contexts: [known, page] })
      if (method === 'script.getRealms') answer({ realms })
    })
  })
  const proxy = await openBidiProxy()
  const driver = new WebSocket(`${proxy.url}/${(browser.address() as AddressInfo).port}/session`)
  const heard: string[] = []
  driver.on('message', data => {
    const { method, params } = JSON.parse(String(data))
    heard.push(`${method} ${params.realm ?? params.context}`)
  })
  const reported = [
    'browsingContext.contextCreated known',
    'browsingContext.contextCreated unreported',
    'browsingContext.navigationCommitted unreported',
    'script.realmCreated first',
  ]
  await expect.poll(() => heard).toEqual(reported)
  for (const socket of browser.clients) say(socket, 'browsingContext.contextCreated', page)
  realms = [{ realm: 'second', context: page.context }]
  await expect.poll(() => heard).toEqual([...reported, 'script.realmDestroyed first', 'script.realmCreated second'])
  driver.close()
  await proxy.close()
  browser.close()
})
