/** JSON values of unknown shape: https://www.rfc-editor.org/rfc/rfc8259 */

/** True for a JSON object, false for null and arrays. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
