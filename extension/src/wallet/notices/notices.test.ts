import { expect, test, vi } from 'vitest'
import { MAX_SHOWN } from '../requests/attention.ts'
import { ADDRESS, connectedWallet, PASSWORD, SITE, startNode, undecided } from '../wallet.fixture.ts'
import type { Notice, ShowNotice } from './notices.ts'

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A wallet with notices switched on, a node that mines when told to, and the shown notices. */
const start = async (options: { on?: boolean; isInFront?: boolean; showNotice?: ShowNotice } = {}) => {
  const notices: Notice[] = []
  const mined = { status: null as string | null }
  const { chain } = startNode({
    eth_getTransactionReceipt: () => mined.status && { status: mined.status, gasUsed: '0x5208', blockNumber: '0x10' },
  })
  const headless = await connectedWallet({
    person: undecided,
    chain,
    showNotice: options.showNotice ?? (async notice => void notices.push(notice)),
    isInFront: async () => options.isInFront ?? true,
  })
  if (options.on ?? true) await headless.wallet.ui.setNotifying({ on: true })
  return { ...headless, notices, mined }
}
const send = async ({ wallet }: Awaited<ReturnType<typeof start>>) => {
  const transfer = { id: 'one', from: ADDRESS, chainId: 31337, to: TO, token: null, amount: '0x1' }
  return wallet.ui.sendOwn(transfer)
}

test.each([
  ['0x1', 'confirmed'],
  ['0x0', 'failed'],
] as const)('with status %s, a transaction is told as %s, once', async (status, kind) => {
  const started = await start()
  const hash = await send(started)
  await started.wallet.tend()
  expect(started.notices).toEqual([])
  started.mined.status = status
  await started.wallet.tend()
  await started.wallet.tend()
  expect(started.notices).toEqual([{ kind, hash, account: ADDRESS, network: expect.any(String) }])
})

test('notices are off at first, can be switched only while unlocked, and a failure to show one is reported', async () => {
  const off = await start({ on: false })
  expect(await off.wallet.ui.getNotifying(null)).toBe(false)
  await off.wallet.ui.lock(null)
  await expect(off.wallet.ui.setNotifying({ on: true })).rejects.toMatchObject({ code: 4100 })
  await off.wallet.ui.unlock({ password: PASSWORD })
  await send(off)
  off.mined.status = '0x1'
  await off.wallet.tend()
  expect(off.notices).toEqual([])

  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const broken = await start({ showNotice: async () => Promise.reject(new Error('no display')) })
  expect(await broken.wallet.ui.getNotifying(null)).toBe(true)
  await send(broken)
  broken.mined.status = '0x1'
  await broken.wallet.tend()
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

test('a request is told if it may not take the focus again, or if the browser is not in front', async () => {
  const seen = await start()
  for (let at = 0; at <= MAX_SHOWN; at++) seen.ask('personal_sign', 'hello', ADDRESS).catch(() => undefined)
  await expect.poll(() => seen.notices).toEqual([{ kind: 'waiting', site: SITE }])
  const behind = await start({ isInFront: false })
  behind.ask('personal_sign', 'hello', ADDRESS).catch(() => undefined)
  await expect.poll(() => behind.notices).toEqual([{ kind: 'waiting', site: SITE }])
})
