/** Two wallets with one phrase, each with its own published dApp client, over one relay. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChain } from '../../extension/src/wallet/networks/node.ts'
import type { Dapp, SignIn } from '../compat/client-interfaces.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay, type Relay } from '../compat/relay.ts'
import { asked, expectTextSigned, LOCAL, signText } from './dapp-requests.ts'
import { approveLink, decideNext, type HeadlessWallet, openHeadless } from './headless.ts'

let folder: string
let relay: Relay
const pairs: { dapp: Peer<Dapp & SignIn>; wallet: HeadlessWallet; topic: string }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session-'))
  relay = await openRelay(join(folder, 'relay'))
  const { port } = relay
  for (const kind of ['sign-client 2.21', 'sign-client 2.17'] as const) {
    const dapp = await openPeer(kind, { port, folder: join(folder, kind), env: { IS_VITEST: 'true' } })
    const wallet = await openHeadless({ relays: [`ws://127.0.0.1:${port}`], chain: createChain() })
    pairs.push({ dapp, wallet, topic: '' })
  }
})
afterAll(async () => {
  for (const { wallet } of pairs) wallet.drop()
  for (const { dapp } of pairs) await dapp.dispose()
  await relay.stop()
  await rm(folder, { recursive: true })
})

test('an app that requests a one-step sign-in falls back to its proposal, and then requests a signature', async () => {
  for (const pair of pairs) {
    const { dapp, wallet } = pair
    const uri = await dapp.acts.authenticate({ chains: [LOCAL], methods: ['eth_sendTransaction'] })
    const session = await approveLink(wallet, uri)
    expect(session.methods).toEqual(['personal_sign', 'eth_sendTransaction'])
    pair.topic = (await dapp.next('session')).topic
    expect(pair.topic).toBe(session.id)
    const answer = dapp.acts.request({ topic: pair.topic, chainId: LOCAL, ...signText })
    answer.catch(() => undefined)
    await decideNext(wallet, true)
    await expectTextSigned(answer)
  }
})

test("neither wallet receives the other's requests", async () => {
  for (const [at, { dapp, wallet, topic }] of pairs.entries()) {
    const other = pairs[1 - at]
    const answer = dapp.acts.request({ topic, chainId: LOCAL, ...signText })
    answer.catch(() => undefined)
    await wallet.until(({ requests }) => requests[0])
    await other?.dapp.acts.ping({ topic: other.topic })
    expect(await other?.wallet.state()).toMatchObject({ requests: [], remote: { sessions: [{ id: other?.topic }] } })
    await decideNext(wallet, true)
    await expectTextSigned(answer)
    expect(await other?.wallet.state()).toMatchObject({ remote: { sessions: [{ approved: 1 + at }] } })
  }
})

test('an app that reuses the pairing of an ended session gets no response', async () => {
  for (const { dapp, wallet } of pairs) {
    await wallet.ui.disconnectAllSessions(null)
    await dapp.next('delete')
    const uri = await dapp.acts.connect(asked)
    const { id } = await approveLink(wallet, uri)
    expect((await dapp.next('session')).topic).toBe(id)
    await wallet.ui.disconnectSession({ id })
    await dapp.next('delete')
    await expect.poll(wallet.sockets).toBe(0)
    const accepted = await relay.accepted()
    const [, pairingTopic = ''] = /^wc:([^@]+)@/.exec(uri) ?? []
    expect(await dapp.acts.connect({ ...asked, pairingTopic })).toBe('')
    await expect.poll(relay.accepted).toBeGreaterThan(accepted)
    const { remote } = await wallet.state()
    expect([remote.pairings, remote.proposals, wallet.sockets()]).toEqual([[], [], 0])
  }
})
