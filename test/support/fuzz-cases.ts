/** Cases per generated test: in `npm test`, in `npm run test:all`, and with FUZZ=long (`npm run fuzz:frames`). */
import { isComplete } from './suite.ts'

const SIZES = {
  /** Frames that the decoders and a reference decode. */
  decodedFrames: [20_000, 60_000, 2_000_000],
  /** Frames that are sent to a running relay. */
  relayFrames: [2_000, 6_000, 100_000],
  /** Requests that are executed on a real EVM. `npm run fuzz` runs any number of them. */
  requests: [800, 1_500, 40_000],
  /** Generated sequences of mailbox operations on local files and on Redis, and runs of a mailbox that crashes. */
  mailboxCourses: [25, 50, 1_000],
  redisCourses: [10, 10, 250],
  mailboxCrashes: [10, 15, 250],
  calldata: [300, 1_000, 100_000],
  /** Calls to each known function. */
  callsOfEachFunction: [6, 25, 1_000],
  typedData: [200, 800, 100_000],
  typedDataHashes: [100, 200, 10_000],
  typedDataJunk: [500, 1_200, 100_000],
  /** Streams of clicks and key presses, 1.5 s each, on each of several pages. A multiple of 9, the number of kinds. */
  pressStreams: [9, 9, 72],
} as const

const [GATE, COMPLETE, LONG] = [0, 1, 2] as const
const size = process.env.FUZZ === 'long' ? LONG : isComplete ? COMPLETE : GATE

export const fuzzCases = (name: keyof typeof SIZES): number => SIZES[name][size]
