/**
 * The first import of the worker; pages import only `browser/first-port.ts` before it. Freezes the built-in functions
 * before any package runs, and then removes the browser API from the global object.
 */
import './before-packages.ts'
import '../browser/api.ts'
