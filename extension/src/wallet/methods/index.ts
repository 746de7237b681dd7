/** Every method a site can reach. A method of a node goes by its bare name, under each prefix of the site's network. */
import { splitMethod } from '@heliograph/shared/wire/node-methods'
import type { Method } from '../method.ts'
import { accounts } from './accounts.ts'
import { chainId, netVersion } from './chain-id.ts'
import { ecRecover } from './ec-recover.ts'
import { personalSign } from './personal-sign.ts'
import { readNames, readOf } from './reads.ts'
import { requestAccounts } from './request-accounts.ts'
import { sendRawTransaction } from './send-raw-transaction.ts'
import { sendTransaction } from './send-transaction.ts'
import { sign } from './sign.ts'
import { signTransaction } from './sign-transaction.ts'
import { signTypedData } from './sign-typed-data.ts'

/** Full names, the same on every network. */
const fixed = new Map<string, Method>([
  ['personal_sign', personalSign],
  ['personal_ecRecover', ecRecover],
  ['net_version', netVersion],
])

/** Bare names: `sign` is `eth_sign` where the network has the prefix `eth`. */
const prefixed = new Map<string, Method>([
  ['requestAccounts', requestAccounts],
  ['accounts', accounts],
  ['chainId', chainId],
  ['sign', sign],
  ['signTypedData', signTypedData],
  ['signTypedData_v4', signTypedData],
  ['sendTransaction', sendTransaction],
  ['signTransaction', signTransaction],
  ['sendRawTransaction', sendRawTransaction],
  ...readNames.map((name): [string, Method] => [name, readOf(name)]),
])

export const findMethod = (name: string, prefixes: readonly string[]): Method | undefined => {
  const bare = splitMethod(name, prefixes)
  return fixed.get(name) ?? (bare === undefined ? undefined : prefixed.get(bare))
}
