/** Events that the proxy adds when the browser does not send them. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openBidiProxy } from './bidi-proxy.ts'

type Command = { id: number; method: string; params: { root?: string } }

/** Connects a driver, through the proxy, to a browser that sends `events` at once and answers only some commands. */
const start = async (
  events: readonly { method: string; params: object }[],
  answerOf: (command: Command) => object | undefined,
  hear: (event: { method: string; params: Record<string, unknown> }) => void,
) => {
  const browser = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(browser, 'listening')
  const say = (event: { method: string; params: object }) => {
    for (const socket of browser.clients) socket.send(JSON.stringify({ type: 'event', ...event }))
  }
  browser.on('connection', socket => {
    socket.on('message', data => {
      const command: Command = JSON.parse(String(data))
      const answer = answerOf(command)
      if (answer) socket.send(JSON.stringify({ id: command.id, type: 'success', ...answer }))
    })
    events.forEach(say)
  })
  const proxy = await openBidiProxy()
  const driver = new WebSocket(`${proxy.url}/${(browser.address() as AddressInfo).port}/session`)
  driver.on('message', data => hear(JSON.parse(String(data))))
  const stop = async () => {
    driver.close()
    await proxy.close()
    browser.close()
  }
  return { say, stop }
}

test('a closed page is reported, even while another page does not respond to scripts', async () => {
  const committed = ['hanging', 'closed'].map(context => ({
    method: 'browsingContext.navigationCommitted',
    params: { context, url: 'moz-extension://wallet/approval.html' },
  }))
  const ended: unknown[] = []
  const { stop } = await start(
    committed,
    ({ method, params }) => {
      if (method !== 'browsingContext.getTree') return undefined
      return params.root === 'closed' ? { type: 'error', error: 'no such frame' } : {}
    },
    ({ method, params }) => {
      if (method === 'browsingContext.contextDestroyed') ended.push(params.context)
    },
  )
  await expect.poll(() => ended).toEqual(['closed'])
  await stop()
})

test('the proxy reports a window that the browser left out, with its realms, and only once', async () => {
  const page = { context: 'unreported', url: 'moz-extension://wallet/approval.html' }
  const known = { context: 'known', url: 'moz-extension://wallet/popup.html' }
  const created = 'browsingContext.contextCreated'
  let realms = [{ realm: 'first', context: page.context }]
  const heard: string[] = []
  const { say, stop } = await start(
    [{ method: created, params: known }],
    ({ method, params }) => {
      if (method === 'script.getRealms') return { result: { realms } }
      const isWhole = method === 'browsingContext.getTree' && params.root === undefined
      return isWhole ? { result: { contexts: [known, page] } } : undefined
    },
    ({ method, params }) => heard.push(`${method} ${params.realm ?? params.context}`),
  )
  const reported = [
    `${created} known`,
    `${created} unreported`,
    'browsingContext.navigationCommitted unreported',
    'script.realmCreated first',
  ]
  await expect.poll(() => heard).toEqual(reported)
  say({ method: created, params: page })
  realms = [{ realm: 'second', context: page.context }]
  await expect.poll(() => heard).toEqual([...reported, 'script.realmDestroyed first', 'script.realmCreated second'])
  await stop()
})
