import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localChain } from '../networks/networks.fixture.ts'
import { refusal } from '../networks/node.fixture.ts'
import { ADDRESS, recordingWallet, SECOND, startNode } from '../wallet.fixture.ts'

const ORACLE = '0x420000000000000000000000000000000000000F'
const L2 = 21_000n * 202n
const BALANCE = 10n ** 15n

test('for any fee, the wallet and the node agree on what the balance can pay: value, L2 fee and L1 fee', async () => {
  let fee = 0n
  const { chain } = startNode({
    eth_getBalance: () => encodeQuantity(BALANCE),
    eth_call: ([call]) => {
      if ((call as { to: string }).to !== ORACLE) throw refusal('transactionRejected')
      return AbiCoder.defaultAbiCoder().encode(['uint256'], [fee])
    },
  })
  const { wallet } = await recordingWallet({ chain, networks: [{ ...localChain, chainId: 10 }] })
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, BALANCE), fc.bigInt(0n, BALANCE), async (l1, value) => {
      fee = l1
      const sending = { from: ADDRESS, chainId: 10, to: SECOND, token: null, amount: encodeQuantity(value) }
      const { effect, findings } = await wallet.ui.reviewSend(sending)
      const isRefused = findings.some(({ level, name }) => level === 'blocked' && name === 'insufficientFunds')
      expect(isRefused).toBe(value + L2 + l1 > BALANCE)
      const atMost = BigInt(effect.fee.atMost)
      expect(atMost >= L2 + l1 && atMost <= L2 + 4n * l1).toBe(true)
    }),
    { numRuns: 25 },
  )
})
