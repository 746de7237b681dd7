/**
 * wallet_switchEthereumChain: switches the site to another of the wallet's networks.
 * https://eips.ethereum.org/EIPS/eip-3326
 */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import { networkView } from '../networks/networks.ts'
import { type Asking, type Context, mainAccount } from '../requests/context.ts'
import type { Draft } from '../requests/store.ts'
import { finding } from '../review/findings.ts'
import { chainIdValue } from '../text/values.ts'

const Params = v.tuple([v.object({ chainId: chainIdValue })])

/** Prepares a switch. If the site is already on the network, it gets its response without a prompt. */
export const prepareSwitch = async (context: Context, to: Network): Promise<Draft | { answer: null }> => {
  if (to.chainId === context.network.chainId) return { answer: null }
  return {
    account: await mainAccount(context),
    payload: { chainId: to.chainId },
    effect: { kind: 'switchChain', to: networkView(to, context.networks.isAdded(to.chainId)) },
    findings: to.rpcUrls.length === 0 ? [finding('caution', 'noRpc', to.title)] : [],
  }
}

/**
 * Switches the site and notifies its pages, even if it is already on the network: a worker may have stopped before
 * notifying them.
 */
export const switchSite = async ({ requester, grants, announce }: Context, chainId: number): Promise<null> => {
  await grants.chooseNetwork(requester, chainId)
  announce({ event: 'chainChanged', origin: requester.origin, data: encodeQuantity(chainId) })
  return null
}

export const switchEthereumChain: Asking = {
  prepare: async (context, params) => {
    const [{ chainId }] = parseParams(params, Params)
    return prepareSwitch(context, await context.networks.get(chainId))
  },
  act: (context, { payload }) => switchSite(context, (payload as { chainId: number }).chainId),
}
