/** Clients as applications run them: only their options keep them from contacting other hosts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPeer } from './peer.ts'
import { openRelay } from './relay.ts'
import { exchange, settle } from './session.ts'

test('a wallet contacts no host about a request, because the relay has no record of it; the client’s telemetry is refused without effect', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'compat-'))
  const relay = await openRelay(join(folder, 'relay'))
  const { port } = relay
  const dapp = await openPeer('universal-provider 2.21', { port, folder: join(folder, 'dapp') })
  const wallet = await openPeer('walletkit 1.2', { port, folder: join(folder, 'wallet') })
  try {
    await exchange({ dapp, wallet }, await settle({ dapp, wallet }, 'irn'))
    expect(dapp.refused()).toEqual([])
    // No option prevents this one telemetry event. If the relay had a record of the request, the client would also
    // contact `verify.walletconnect.org`, for the proposal and the request.
    await expect.poll(wallet.refused).toEqual(['pulse.walletconnect.org'])
  } finally {
    await Promise.all([dapp.dispose(), wallet.dispose(), relay.stop()])
    await rm(folder, { recursive: true })
  }
})
