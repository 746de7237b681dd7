/**
 * The document that holds relay sockets while the worker sleeps, and writes to the clipboard (Chromium only). It makes no
 * decisions.
 */
import './hardening/first.ts'
import { serveClipboard } from './browser/offscreen-clipboard.ts'
import { serveSockets } from './browser/offscreen-sockets.ts'

serveSockets()
serveClipboard()
