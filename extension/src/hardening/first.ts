/**
 * The first import of the worker and of every page. It freezes the built-in functions before any package runs, and then
 * takes the browser's API away from the global object.
 */
import './before-packages.ts'
import '../browser/api.ts'
