/** A new user's first minutes: from an empty profile to a signed message on a test network. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyMessage } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from '../support/stack.ts'
import { approve } from './deciding.ts'
import { counted, INPUT_DEVICES } from './input-devices.ts'
import { createNewWallet } from './onboarding.ts'
import { startWithRelease } from './person.ts'
import { read } from './provider.ts'

const MESSAGE = 'Hello from the demo site.'

let stack: Stack
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'heliograph-first-day-'))
  stack = await startStack({ dataDir })
})
afterAll(async () => {
  await stack?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/**
 * Seconds that a person needs for these acts: 1.5 s to find and press a control, and 5 s to fill a field. The time to read
 * and to write down the phrase is not included.
 */
const secondsFor = ({ presses, fields }: { presses: number; fields: number }): number => presses * 1.5 + fields * 5

/** Time limit in milliseconds: it covers a new browser and everything in it, on a busy machine. */
const PATIENCE = 180_000

test.for(INPUT_DEVICES)(
  "by %s: the installation opens the welcome page; a new wallet connects to the demo site, adds the site's test network and signs a message",
  { timeout: PATIENCE },
  async ([name, unlimited]) => {
    const { acts, device } = counted(unlimited)
    const person = await startWithRelease()
    const began = performance.now()
    await createNewWallet(device, person.welcome)

    const site = await person.context.newPage()
    await site.goto(stack.urls.site)
    const ask = async (button: string, decision: 'Approve' | 'Connect', output = button): Promise<unknown> => {
      await approve(device, await person.approval(() => device.press(site, 'button', button)), decision)
      const done = site.locator(`output[id="${output}"][data-state=result]`)
      await done.waitFor()
      return JSON.parse((await done.textContent()) ?? '')
    }
    const accounts = await ask('Connect wallet', 'Connect', 'eth_requestAccounts')
    await ask('Use the local chain', 'Approve', 'wallet_addEthereumChain')
    expect(await read(site, 'eth_chainId')).toBe('0x7a69')
    const signature = await ask('personal_sign', 'Approve')
    expect([verifyMessage(MESSAGE, String(signature)).toLowerCase()]).toEqual(accounts)
    const seconds = Math.round((performance.now() - began) / 1_000)
    expect(secondsFor(acts)).toBeLessThanOrEqual(60)
    console.log(`first day by ${name}: ${acts.presses} presses and ${acts.fields} fields in ${seconds} s`)
    await person.leave()
  },
)
