/** Runs `npm run bench:wallet`: prints the latencies for a site and a user, next to a minimal extension's. */
import { join } from 'node:path'
import { releasedExtension } from '../support/build.ts'
import { driveChromium } from '../support/chromium.ts'
import { driveFirefox } from '../support/firefox.ts'
import { measureAccounts } from './accounts.ts'
import { measureApproval } from './approval.ts'
import { measureRemote } from './remote.ts'
import { REMOTE_CLIENTS } from './remote-clients.ts'
import { measureRoundTrips } from './round-trips.ts'
import { type ListFigures, measureScreens } from './screens.ts'
import { measureColdStarts, measurePopup, withBothExtensions } from './wallet.ts'

const times = 9
const { roundTrip, cold, many, popup, approval } = await withBothExtensions(async bench => ({
  roundTrip: await measureRoundTrips(bench.site, 2_000),
  cold: await measureColdStarts(bench, 25),
  many: await measureAccounts(bench, 200, times),
  popup: await measurePopup(bench, times),
  approval: await measureApproval(bench, times),
}))
const row = (what: string, one: number, other: number) =>
  `| ${what} | ${one.toFixed(2)} | ${other.toFixed(2)} | ${(one / other).toFixed(2)} |`

const extension = await releasedExtension()
const inChromium = await measureRemote({ drive: driveChromium, extension, times, isAsleep: true })
const inFirefox = await measureRemote({
  drive: driveFirefox,
  extension: join(extension, '../firefox'),
  times,
  isAsleep: false,
})

const screens = await measureScreens()
const list = (what: string, { drawn, frame, longestFrame }: ListFigures) =>
  `| ${what} | ${drawn.toFixed(0)} | ${frame.toFixed(1)} | ${longestFrame.toFixed(1)} |`

process.stdout.write(
  `${[
    '| ms, p50 | wallet | bare echo | ratio |',
    '| --- | --- | --- | --- |',
    row('page → worker → page', roundTrip.wallet, roundTrip.bare),
    row('page → worker → page, worker stopped at first', cold.wallet, cold.bare),
    '',
    `| ms, p50 | ${many.accounts} accounts | one account | ratio |`,
    '| --- | --- | --- | --- |',
    row('page → worker → page', many.roundTrip[1].wallet, many.roundTrip[0].wallet),
    row('loading the state of the wallet’s pages', many.state[1], many.state[0]),
    row('drawing the wallet’s home', many.home[1].wallet, many.home[0].wallet),
    '',
    `| ms, p50, ${many.accounts} accounts | popup | empty page | ratio |`,
    '| --- | --- | --- | --- |',
    row('worker running', popup.warm.wallet, popup.warm.bare),
    row('worker stopped', popup.cold.wallet, popup.cold.bare),
    '',
    `| ms, p50, ${many.accounts} accounts | approval window | bare window | ratio |`,
    '| --- | --- | --- | --- |',
    row('signature', approval.signature.wallet, approval.signature.bare),
    row('transaction', approval.transaction.wallet, approval.transaction.bare),
    '',
    '| ms, p50, remote request → window | Chromium, worker stopped | Firefox |',
    '| --- | --- | --- |',
    ...REMOTE_CLIENTS.map(kind => `| ${kind} | ${inChromium.get(kind)} | ${inFirefox.get(kind)} |`),
    '',
    '| ms | drawn | frame, p50 | longest frame |',
    '| --- | --- | --- | --- |',
    list('1,000 accounts', screens.accounts),
    list('500 activities', screens.activities),
    list('200 tokens', screens.tokens),
    '',
    `typed data of 100 kB, from navigation to the decision buttons: ${screens.typedData.toFixed(0)} ms`,
    `a megabyte of control characters, longest frame while scrolling: ${screens.controls.toFixed(0)} ms`,
  ].join('\n')}\n`,
)
