/** The document that holds relay sockets while the worker sleeps (Chromium only). It makes no decisions. */
import './hardening/first.ts'
import { serveSockets } from './browser/offscreen-sockets.ts'

serveSockets()
