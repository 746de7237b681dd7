/** The document that holds the sockets to relays while the worker sleeps. Chromium only: nothing is decided here. */
import { serveSockets } from './browser/offscreen-sockets.ts'

serveSockets()
