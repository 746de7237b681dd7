/**
 * The first import of the worker, and of every page after that of its port. Freezes the built-in functions before any package runs, and then
 * removes the browser API from the global object.
 */
import './before-packages.ts'
import '../browser/api.ts'
