/**
 * An extension that only echoes a page's messages or opens a window with a button: the lower bound for a wallet in this
 * browser.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const manifest = {
  manifest_version: 3,
  name: 'Bare',
  version: '1',
  background: { service_worker: 'echo.js' },
  content_scripts: [{ js: ['pipe.js'], matches: ['http://*/*'], run_at: 'document_start' }],
}

/** A page with only a button. */
const page = '<!doctype html><meta charset="utf-8"><title>Bare</title><button>Nothing</button>'

const echo = `
chrome.runtime.onConnect.addListener(port => port.onMessage.addListener(message => {
  if (message.method !== 'open') return port.postMessage(message)
  chrome.windows.create({ url: 'page.html', type: 'popup', width: 400, height: 672 })
}))`

const pipe = `
let port
const connect = () => {
  const opened = chrome.runtime.connect()
  opened.onMessage.addListener(message => postMessage({ source: 'bare:answer', message }, '*'))
  opened.onDisconnect.addListener(() => { port = undefined })
  return opened
}
addEventListener('message', ({ source, data }) => {
  if (source !== window || data?.source !== 'bare:page') return
  port ??= connect()
  port.postMessage(data.message)
})`

export const writeBareExtension = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'echo.js'), echo)
  await writeFile(join(folder, 'pipe.js'), pipe)
  await writeFile(join(folder, 'page.html'), page)
  return folder
}
