import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import {
  ADDRESS,
  approve,
  commonPasswords,
  connectedWallet,
  PASSWORD,
  SECOND,
  SITE,
  startNode,
  undecided,
} from '../wallet.fixture.ts'
import { createSafety } from './safety.ts'
import { createVault } from './vault.ts'

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
    if (!request) throw new Error('No request is pending')
    return request
  }
  return { ...headless, ui, sent, open, asked }
}

const unauthorized = { code: 4100 }

test('by default, no password is required, and unreadable data can be signed', async () => {
  const { ui } = await start()
  expect((await ui.getState(null)).safety).toEqual({
    asksPassword: false,
    allowsUnreadable: true,
    allowsForeignSignIn: false,
    readsOffchainNames: false,
  })
})

test.each(['eth_sendTransaction', 'eth_signTransaction'])(
  'if transactions require the password, %s needs the right one',
  async method => {
    const { ui, ask, asked, open } = await start()
    await ui.setSafety({ asksPassword: true })
    expect((await ui.getState(null)).safety).toMatchObject({ asksPassword: true, allowsUnreadable: true })
    const signed = ask(method, transfer)
    await expect.poll(open).toHaveLength(1)
    const { id, revision } = await asked()
    await expect(ui.decide({ id, approve: true, revision })).rejects.toMatchObject(unauthorized)
    await expect(ui.decide({ id, approve: true, revision, password: 'wrong' })).rejects.toThrow(
      'The password is incorrect.',
    )
    expect(await open()).toHaveLength(1)
    await ui.decide({ id, approve: true, revision, password: PASSWORD })
    expect(await signed).toMatch(/^0x/)
  },
)

test('rejections, and approvals of other requests, require no password', async () => {
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

test("the wallet's own transactions require the password too", async () => {
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

test('with the password required, changing the settings requires it too', async () => {
  const { ui } = await start()
  await ui.setSafety({ asksPassword: true })
  await expect(ui.setSafety({ asksPassword: false })).rejects.toMatchObject(unauthorized)
  await expect(ui.setSafety({ allowsUnreadable: false })).rejects.toMatchObject(unauthorized)
  await ui.setSafety({ allowsUnreadable: false, password: PASSWORD })
  expect((await ui.getState(null)).safety).toMatchObject({ asksPassword: true, allowsUnreadable: false })
  await ui.setSafety({ asksPassword: false, password: PASSWORD })
  expect((await ui.getState(null)).safety.asksPassword).toBe(false)
})

test('if unreadable data is not allowed, it is rejected without asking the user', async () => {
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

const signInTo = (domain: string) => `${domain} wants you to sign in with your Ethereum account:
${ADDRESS}

Welcome

URI: https://${domain}
Version: 1
Chain ID: 31337
Nonce: 12345678
Issued At: 2023-11-14T22:13:00Z`

const methods: [string, (text: string) => readonly unknown[]][] = [
  ['personal_sign', text => [text, ADDRESS]],
  ['personal_sign', text => [ADDRESS, text]],
  ['personal_sign', text => [`0x${Buffer.from(text).toString('hex')}`, ADDRESS]],
  ['eth_sign', text => [ADDRESS, `0x${Buffer.from(text).toString('hex')}`]],
]

test.each(methods)(
  '%s rejects a sign-in to another domain without asking the user, with both sites in the error',
  async (method, params) => {
    const { ask, open } = await start()
    const hidden = ['', '\ufeff', '\r\n', 'Welcome!\n\n'].map(before => `${before}${signInTo('bank.example')}`)
    for (const text of [
      ...hidden,
      signInTo('bank.example').replaceAll('\n', '\r\n'),
      signInTo('site.example@bank.example'),
    ])
      await expect(ask(method, ...params(text)), text).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/bank\.example.*https:\/\/site\.example/),
      })
    expect(await open()).toEqual([])
  },
)

test('if sign-ins to other domains are allowed, one is a danger, and requires the password if set', async () => {
  const { ask, ui, open, asked } = await start()
  await ui.setSafety({ asksPassword: true })
  await expect(ui.setSafety({ allowsForeignSignIn: true })).rejects.toMatchObject(unauthorized)
  await ui.setSafety({ allowsForeignSignIn: true, password: PASSWORD })
  const signed = ask('personal_sign', signInTo('bank.example'), ADDRESS)
  await expect.poll(open).toHaveLength(1)
  const { id, revision, findings } = await asked()
  expect(findings).toMatchObject([
    { level: 'danger', name: 'signInElsewhere', values: ['site.example', 'bank.example'] },
  ])
  await ui.decide({ id, approve: true, revision })
  expect(await signed).toMatch(/^0x/)
})

test('a sign-in to another port or subdomain of the same registrable domain is shown as a danger', async () => {
  const { ask, open } = await start()
  for (const domain of ['login.site.example', 'site.example:8443']) void ask('personal_sign', signInTo(domain), ADDRESS)
  await expect.poll(open).toHaveLength(2)
  for (const { findings } of await open())
    expect(findings).toMatchObject([{ level: 'danger', name: 'signInElsewhere' }])
})

test('settings stored before an option existed use its default', async () => {
  const store = memoryStore()
  await store.set('safety', { asksPassword: false, allowsUnreadable: false })
  const safety = createSafety(store, createVault({ local: store, session: memoryStore() }, commonPasswords))
  expect(await safety.read()).toEqual({
    asksPassword: false,
    allowsUnreadable: false,
    allowsForeignSignIn: false,
    readsOffchainNames: false,
  })
})
