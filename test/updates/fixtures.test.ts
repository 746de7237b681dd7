/** Data of every released version opens in this version, with all its contents. */
import { verifyMessage } from 'ethers'
import { describe, expect, test } from 'vitest'
import { withKeyOf } from '../../extension/src/wallet/keys/keyring.ts'
import { createVault } from '../../extension/src/wallet/keys/vault.ts'
import { KDF_COST } from '../../extension/src/wallet/keys/vault-file.ts'
import { FORMAT, FORMAT_RECORD } from '../../extension/src/wallet/storage/registry.ts'
import { memoryStore } from '../../extension/src/wallet/storage/store.ts'
import { commonPasswords, startWallet } from '../../extension/src/wallet/wallet.fixture.ts'
import { addressOfPrivateKey } from '../../shared/src/evm/signature.ts'
import { defaultNetworks } from '../../shared/src/network.ts'
import { read } from '../house/sources.ts'
import { type Fixture, fixtures, keptOf, peersOf } from './fixture.ts'

/** Opens a wallet in a browser that has just started, with the stored data. */
const openOn = async (fixture: Fixture) => {
  const local = memoryStore()
  for (const [name, value] of Object.entries(fixture.storage)) await local.set(name, value)
  const started = () =>
    startWallet({
      store: { local, session: memoryStore() },
      networks: defaultNetworks,
      kdfCost: KDF_COST,
      now: () => fixture.writtenAt,
    })
  return { local, started }
}

test('every released version has a fixture', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) - (.+)$/gm)]
  expect(headings.length).toBeGreaterThan(0)
  const released = headings.filter(([, , date]) => date !== 'unreleased').map(([, version]) => version)
  expect(fixtures().map(({ version }) => version)).toEqual(expect.arrayContaining(['0.1.0', ...released]))
})

describe.each(fixtures())('$version', fixture => {
  const { version, password, kept, origin, signed } = fixture

  test('a wallet opens with all its contents, its site gets its account and signature, and its keys are the imported ones', async () => {
    const { wallet, store } = (await openOn(fixture)).started()
    await wallet.resume()
    expect(await wallet.ui.getState(null)).toMatchObject({ phase: 'locked', accounts: [], sites: [] })
    await wallet.ui.unlock({ password })
    const state = await wallet.ui.getState(null)
    expect(state.reset).toEqual([])
    expect({ ...keptOf(state), peers: peersOf(state) }).toEqual(kept)

    const [account = ''] = kept.sites[0]?.accounts ?? []
    expect(await wallet.request(origin, { id: 'accounts', method: 'eth_accounts' })).toEqual([account.toLowerCase()])
    const params = [`0x${Buffer.from(signed.text).toString('hex')}`, account]
    const signature = await wallet.request(origin, { id: 'sign', method: 'personal_sign', params })
    expect(signature).toBe(signed.signature)
    expect(verifyMessage(signed.text, String(signature))).toBe(account)

    const secrets = await createVault(store, commonPasswords, KDF_COST).read()
    for (const { address, kind } of kept.accounts.filter(({ kind }) => kind !== 'watchOnly'))
      expect(await withKeyOf(secrets, address, addressOfPrivateKey), kind).toBe(address)
  })

  test('data with a newer format is refused and not changed, and opens after the format is restored', async () => {
    const { local, started } = await openOn(fixture)
    const before = await local.get(FORMAT_RECORD)
    await local.set(FORMAT_RECORD, { format: FORMAT + 1, version: '99.0.0' })
    const refused = started().wallet
    await refused.resume()
    await expect(refused.ui.unlock({ password })).rejects.toMatchObject({ reason: 'dataNewer' })
    for (const [name, value] of Object.entries(fixture.storage).filter(([name]) => name !== FORMAT_RECORD))
      expect(await local.get(name), name).toEqual(value)
    await (before === undefined ? local.remove(FORMAT_RECORD) : local.set(FORMAT_RECORD, before))
    const { wallet } = started()
    await wallet.ui.unlock({ password })
    expect(keptOf(await wallet.ui.getState(null))).toMatchObject({ accounts: kept.accounts, sites: kept.sites })
  })

  test(`the vault of ${version} is refused with a wrong password, and not changed`, async () => {
    const { local, started } = await openOn(fixture)
    await expect(started().wallet.ui.unlock({ password: `${password}!` })).rejects.toMatchObject({
      reason: 'wrongPassword',
    })
    expect(await local.get('vault')).toEqual(fixture.storage.vault)
  })
})
