import { expect, test } from 'vitest'
import { ADDRESS, approve, connectedWallet, PASSWORD, SECOND, SITE, startNode, undecided } from './wallet.fixture.ts'

const transfer = { from: ADDRESS, to: SECOND, value: '0x1' }
const send = { from: ADDRESS, chainId: 31337, to: SECOND, token: null, amount: '0x5' }
const bytes = '0x00ff01fe'

const start = async (person = undecided) => {
  const { chain, sent } = startNode({ eth_getTransactionReceipt: () => null })
  const headless = await connectedWallet({
    chain,
    person: request => (request.effect.kind === 'connect' ? approve(request) : person(request)),
  })
  const { ui } = headless.wallet
  const open = async () => (await ui.getState(null)).requests
  const asked = async () => {
    const [request] = await open()
    if (!request) throw new Error('nothing is asked')
    return request
  }
  return { ...headless, ui, sent, open, asked }
}

const unauthorized = { code: 4100 }

test('at first no password is asked for, and data that cannot be read may be signed', async () => {
  const { ui } = await start()
  expect((await ui.getState(null)).safety).toEqual({ asksPassword: false, allowsUnreadable: true })
})

test.each(['eth_sendTransaction', 'eth_signTransaction'])(
  'where it is asked for before every transaction, %s is approved with the right password alone',
  async method => {
    const { ui, ask, asked, open } = await start()
    await ui.setSafety({ asksPassword: true })
    expect((await ui.getState(null)).safety).toEqual({ asksPassword: true, allowsUnreadable: true })
    const signed = ask(method, transfer)
    await expect.poll(open).toHaveLength(1)
    const { id, revision } = await asked()
    await expect(ui.decide({ id, approve: true, revision })).rejects.toMatchObject(unauthorized)
    await expect(ui.decide({ id, approve: true, revision, password: 'wrong' })).rejects.toThrow(
      'That password is not right.',
    )
    expect(await open()).toHaveLength(1)
    await ui.decide({ id, approve: true, revision, password: PASSWORD })
    expect(await signed).toMatch(/^0x/)
  },
)

test('rejecting a transaction, and approving what is none, takes no password', async () => {
  const { ui, ask, asked, open } = await start()
  await ui.setSafety({ asksPassword: true })
  const rejected = ask('eth_sendTransaction', transfer)
  rejected.catch(() => undefined)
  await expect.poll(open).toHaveLength(1)
  await ui.decide({ id: (await asked()).id, approve: false })
  await expect(rejected).rejects.toMatchObject({ code: 4001 })
  const message = ask('personal_sign', '0x6869', ADDRESS)
  await expect.poll(open).toHaveLength(1)
  const { id, revision } = await asked()
  await ui.decide({ id, approve: true, revision })
  expect(await message).toMatch(/^0x/)
})

test('what the wallet itself sends takes the password, too', async () => {
  const { ui, sent } = await start()
  await ui.setSafety({ asksPassword: true })
  await expect(ui.sendOwn({ ...send, id: 'a' })).rejects.toMatchObject(unauthorized)
  expect(sent).toEqual([])
  const hash = await ui.sendOwn({ ...send, id: 'a', password: PASSWORD })
  for (const act of [ui.speedUp, ui.cancelTransaction]) await expect(act({ hash })).rejects.toMatchObject(unauthorized)
  await ui.speedUp({ hash, password: PASSWORD })
  expect(sent).toHaveLength(2)
  expect(JSON.stringify(await ui.getActivity({ address: ADDRESS, chainId: 31337 }))).not.toContain(PASSWORD)
  const revocation = { from: ADDRESS, chainId: 31337, token: SECOND, spender: SITE }
  await expect(ui.revokeAllowance({ ...revocation, id: 'b' } as never)).rejects.toMatchObject(unauthorized)
  await expect(ui.removeDelegation({ id: 'c' } as never)).rejects.toMatchObject(unauthorized)
})

test('only who knows the password changes anything where it is asked for', async () => {
  const { ui } = await start()
  await ui.setSafety({ asksPassword: true })
  await expect(ui.setSafety({ asksPassword: false })).rejects.toMatchObject(unauthorized)
  await expect(ui.setSafety({ allowsUnreadable: false })).rejects.toMatchObject(unauthorized)
  await ui.setSafety({ allowsUnreadable: false, password: PASSWORD })
  expect((await ui.getState(null)).safety).toEqual({ asksPassword: true, allowsUnreadable: false })
  await ui.setSafety({ asksPassword: false, password: PASSWORD })
  expect((await ui.getState(null)).safety.asksPassword).toBe(false)
})

test('where data that cannot be read is not signed, it is rejected without asking', async () => {
  const { ui, ask, open, asked } = await start()
  const allowed = ask('personal_sign', bytes, ADDRESS)
  await expect.poll(open).toHaveLength(1)
  const { id, revision, findings } = await asked()
  expect(findings).toMatchObject([{ level: 'caution', name: 'notText' }])
  await ui.decide({ id, approve: true, revision })
  expect(await allowed).toMatch(/^0x/)
  await ui.setSafety({ allowsUnreadable: false })
  for (const [method, params] of [
    ['personal_sign', [bytes, ADDRESS]],
    ['eth_sign', [ADDRESS, bytes]],
  ] as const)
    await expect(ask(method, ...params)).rejects.toMatchObject({ code: 4001 })
  expect(await open()).toEqual([])
  const text = ask('personal_sign', '0x6869', ADDRESS)
  await expect.poll(open).toHaveLength(1)
  const { id: textId, revision: textRevision } = await asked()
  await ui.decide({ id: textId, approve: true, revision: textRevision })
  expect(await text).toMatch(/^0x/)
})
