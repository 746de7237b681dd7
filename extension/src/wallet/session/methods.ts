/**
 * The v2 protocol's messages: their relay tags, their ttl in seconds, and whether they wake the receiver.
 * https://specs.walletconnect.com/2.0/specs/clients/sign/rpc-methods
 */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Publish parameters of a message. `ttl` is in seconds. */
export type Delivery = { tag: number; ttl: number; prompt: boolean }

const quiet = (tag: number, ttl: number): Delivery => ({ tag, ttl, prompt: false })

/** `rejected` is for rejections by the user, `refused` for automatic rejections by the wallet. */
type Answers = { answered: Delivery; rejected?: Delivery; refused?: Delivery }

/** Peers' requests, and how the responses to them are published. */
export const answers = {
  wc_pairingDelete: { answered: quiet(1001, DAY) },
  wc_pairingPing: { answered: quiet(1003, MINUTE) },
  wc_pairingExtend: { answered: quiet(1005, DAY) },
  wc_sessionPropose: {
    answered: quiet(1101, 5 * MINUTE),
    rejected: quiet(1120, 5 * MINUTE),
    refused: quiet(1121, 5 * MINUTE),
  },
  wc_sessionSettle: { answered: quiet(1103, 5 * MINUTE) },
  wc_sessionUpdate: { answered: quiet(1105, DAY) },
  wc_sessionExtend: { answered: quiet(1107, DAY) },
  wc_sessionRequest: { answered: quiet(1109, 15 * MINUTE) },
  wc_sessionEvent: { answered: quiet(1111, 5 * MINUTE) },
  wc_sessionDelete: { answered: quiet(1113, DAY) },
  wc_sessionPing: { answered: quiet(1115, MINUTE) },
  wc_sessionAuthenticate: {
    answered: quiet(1117, HOUR),
    rejected: quiet(1118, 5 * MINUTE),
    refused: quiet(1119, 5 * MINUTE),
  },
} as const satisfies Record<string, Answers>

export type AnsweredMethod = keyof typeof answers

/** For responses to unknown methods. */
const UNKNOWN: Delivery = quiet(0, DAY)

const answersOf = (method: string): Answers =>
  Object.hasOwn(answers, method) ? answers[method as AnsweredMethod] : { answered: UNKNOWN }

/** Returns the delivery of a result, or of an error from the method itself. */
export const answeredBy = (method: string): Delivery => answersOf(method).answered
/** Returns the delivery of a rejection by the user. */
export const rejectedBy = (method: string): Delivery => answersOf(method).rejected ?? answeredBy(method)
/** Returns the delivery of an automatic rejection. */
export const refusedBy = (method: string): Delivery => answersOf(method).refused ?? answeredBy(method)

/** The wallet's own requests. */
export const requests = {
  wc_sessionSettle: quiet(1102, 5 * MINUTE),
  wc_sessionUpdate: quiet(1104, DAY),
  wc_sessionExtend: quiet(1106, DAY),
  wc_sessionEvent: { tag: 1110, ttl: 5 * MINUTE, prompt: true },
  wc_sessionDelete: quiet(1112, DAY),
  wc_sessionPing: quiet(1114, MINUTE),
} as const satisfies Record<string, Delivery>

export type AskedMethod = keyof typeof requests
