/** The document that holds the sockets to relays while the worker sleeps. Chromium only: nothing is decided here. */
import './hardening/first.ts'
import { serveSockets } from './browser/offscreen-sockets.ts'

serveSockets()
