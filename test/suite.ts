/**
 * The test files of the gate, `npm test`: everything essential, in eight minutes. `npm run test:all` runs all others, and those
 * of which the gate runs a part. A new file of `test/` belongs to `test:all` until it is named here. Tests beside the sources
 * all belong to the gate.
 */

/** Names in `test/e2e`, in Chromium. What is proved below a browser is not proved here again. */
export const GATE_IN_CHROMIUM = [
  'compromised-renderer',
  'egress',
  'foundation',
  'hostile',
  'keyboard',
  'kill',
  'libraries',
  'provider',
  'requests',
  'sessions',
] as const
