/** The number of cases of each generated test: the first in `npm test`, the second with FUZZ=long (`npm run fuzz:frames`). */
const SIZES = {
  /** Frames that the decoders and a reference read. */
  decodedFrames: [200_000, 2_000_000],
  /** Frames that a live relay answers. */
  relayFrames: [20_000, 100_000],
  /** Requests that are executed on a real EVM. `npm run fuzz` makes any number of them. */
  requests: [4_000, 40_000],
  calldata: [2_000, 100_000],
  typedData: [2_000, 100_000],
  typedDataHashes: [200, 10_000],
  typedDataJunk: [3_000, 100_000],
  /** Streams of clicks and keys in each of several pages, of 1.5 s each. A multiple of the number of kinds, which is 9. */
  pressStreams: [9, 27],
} as const

const isLong = process.env.FUZZ === 'long'

export const fuzzCases = (name: keyof typeof SIZES): number => SIZES[name][isLong ? 1 : 0]
