import { expect, test } from 'vitest'
import { batchAnswers } from '../transactions/batch-delegate.fixture.ts'
import { ADDRESS, ADDRESS_LOWER, connectedWallet, OTHER_SITE, SECOND, startNode } from '../wallet.fixture.ts'

const none = { atomic: { status: 'unsupported' } }
const ready = { atomic: { status: 'ready' } }

test('returns the status on all networks, or on the requested ones', async () => {
  const { ask } = await connectedWallet({ chain: startNode(batchAnswers()).chain })
  const all = { '0x7a69': ready, '0x1': none, '0x2019': none }
  expect(await ask('wallet_getCapabilities', ADDRESS)).toEqual(all)
  expect(await ask('wallet_getCapabilities', ADDRESS_LOWER, null)).toEqual(all)
  expect(await ask('wallet_getCapabilities', ADDRESS, ['0x1', '0x5'])).toEqual({ '0x1': none })
  expect(await ask('wallet_getCapabilities', ADDRESS, [])).toEqual({})
})

test('accepts only accounts of the site', async () => {
  const { wallet, ask } = await connectedWallet()
  await expect(ask('wallet_getCapabilities', SECOND)).rejects.toMatchObject({ code: 4100 })
  const elsewhere = { id: '1', method: 'wallet_getCapabilities', params: [ADDRESS] }
  await expect(wallet.request(OTHER_SITE, elsewhere)).rejects.toMatchObject({ code: 4100 })
})

test("a locked wallet answers for the site's accounts without asking the user", async () => {
  const { wallet, ask, shown } = await connectedWallet()
  await wallet.ui.lock(null)
  expect(await ask('wallet_getCapabilities', ADDRESS, ['0x1'])).toEqual({ '0x1': none })
  await expect(ask('wallet_getCapabilities', SECOND)).rejects.toMatchObject({ code: 4100 })
  expect(shown).toEqual([])
})

test('invalid params are -32602', async () => {
  const { ask } = await connectedWallet()
  for (const params of [
    [],
    [null],
    ['me'],
    [ADDRESS, '0x1'],
    [ADDRESS, [1]],
    [ADDRESS, ['0x01']],
    [ADDRESS, Array(101).fill('0x1')],
  ])
    await expect(ask('wallet_getCapabilities', ...params), JSON.stringify(params)).rejects.toMatchObject({
      code: -32602,
    })
})
