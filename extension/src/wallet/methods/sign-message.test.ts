import { verifyMessage } from 'ethers'
import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, connectedWallet, PASSWORD, SITE, startWallet, undecided } from '../wallet.fixture.ts'

const message = (id: string) => ({ id, method: 'personal_sign', params: ['hello', ADDRESS] })
const openRequests = async ({ wallet }: ReturnType<typeof startWallet>) => (await wallet.ui.getState(null)).requests

test('a lock between approval and signature prevents signing', async () => {
  const memory = memoryStore()
  let lockOnDecision = false
  const session = {
    ...memory,
    set: async (name: string, value: unknown) => {
      await memory.set(name, value)
      if (lockOnDecision && name === 'requests') await memory.remove('vault-key')
    },
  }
  const headless = await connectedWallet({ person: undecided, store: { local: memoryStore(), session } })
  const answer = headless.wallet.request(SITE, message('1'))
  answer.catch(() => undefined)
  await expect.poll(() => openRequests(headless)).toHaveLength(1)
  const [request] = await openRequests(headless)
  lockOnDecision = true
  await headless.wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0 })
  await expect(answer).rejects.toMatchObject({ code: 4100, message: 'The wallet is locked' })
})

test('a request while locked is shown after the unlock and signed when approved', async () => {
  const headless = await connectedWallet({ person: undecided })
  const { wallet } = headless
  await wallet.ui.lock(null)
  const answer = wallet.request(SITE, message('1'))
  await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(1)
  await wallet.ui.unlock({ password: PASSWORD })
  const [request] = await openRequests(headless)
  await wallet.ui.decide({ id: String(request?.id), approve: true, revision: 0 })
  expect(verifyMessage('hello', String(await answer))).toBe(ADDRESS)
})

test('a change of the network does not change an open request, and a repeat gets the same signature', async () => {
  const before = await connectedWallet({ person: undecided })
  await before.wallet.ui.selectNetwork({ chainId: 8217 })
  const asked = { id: '1', method: 'klay_sign', params: [ADDRESS, 'hello'] }
  before.wallet.request(SITE, asked).catch(() => undefined)
  await expect.poll(() => openRequests(before)).toHaveLength(1)
  await before.wallet.ui.selectNetwork({ chainId: 1 })

  const after = startWallet({ store: before.store })
  const { signature } = { signature: await after.wallet.request(SITE, asked) }
  await after.wallet.ui.selectNetwork({ chainId: 8217 })
  expect(await after.wallet.request(SITE, { ...asked, id: '2' })).toBe(signature)
})
