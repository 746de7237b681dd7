/**
 * EIP-2255 permissions of a site, and the methods that return, request and revoke them. The only permission is access to
 * accounts. https://eips.ethereum.org/EIPS/eip-2255
 */
import type { Address } from '@heliograph/shared/evm/address'
import { isObject } from '@heliograph/shared/evm/json'
import { nodeValues, parseParams, parseParamsOn } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Answering, Asking, Context } from '../requests/context.ts'
import { type Site, siteAccounts } from '../sites/sites.ts'
import { rpcError } from '../text/errors.ts'
import { connectDraft, connectPicked } from './connect-site.ts'

/** Name of the permission: the method that it allows. */
const ACCOUNTS_PERMISSION = 'eth_accounts'
/** MetaMask's permission for networks. MetaMask grants and revokes it together with the accounts. */
const NETWORKS_PERMISSION = 'endowment:permitted-chains'
/** Caveat that restricts a permission to certain accounts. */
const ACCOUNTS_CAVEAT = 'restrictReturnedAccounts'

type Permission = {
  invoker: string
  parentCapability: string
  /** Time of the first connection, in Unix ms. */
  date: number
  caveats: readonly { type: string; value: readonly string[] }[]
}

const permissionsOf = (site: Site): readonly Permission[] => [
  {
    invoker: site.origin,
    parentCapability: ACCOUNTS_PERMISSION,
    date: site.since,
    caveats: [{ type: ACCOUNTS_CAVEAT, value: siteAccounts(site) }],
  },
]

/** wallet_getPermissions: returns the site's permissions. Like eth_accounts, it also works while the wallet is locked. */
export const getPermissions: Answering = {
  answer: async ({ requester, grants }) => {
    const site = await grants.siteOf(requester)
    return site ? permissionsOf(site) : []
  },
}

const MAX_ACCOUNTS = 100

/** Permission names with their caveats. At least one permission is required. */
const permissionsParams = v.tuple([
  v.pipe(
    v.custom<Record<string, unknown>>(isObject, 'must be an object of permissions'),
    v.check(permissions => Object.keys(permissions).length > 0, 'must name a permission'),
  ),
])

/**
 * Throws 4200 unless one of the permissions is known. Other permissions, such as MetaMask's for networks, are not
 * granted.
 */
const assertKnown = (permissions: Record<string, unknown>): void => {
  if (!Object.hasOwn(permissions, ACCOUNTS_PERMISSION))
    throw rpcError('unsupportedMethod', 'otherPermission', { permission: ACCOUNTS_PERMISSION })
}

const accountList = v.pipe(
  v.array(nodeValues.address),
  v.minLength(1, 'must have an account'),
  v.maxLength(MAX_ACCOUNTS, `must have at most ${MAX_ACCOUNTS} accounts`),
)

const isForAccounts = (caveat: unknown): boolean => isObject(caveat) && caveat.type === ACCOUNTS_CAVEAT

/**
 * Removes unknown members from a permission that lists accounts in one of its two forms. They can be ignored, because
 * the user chooses only among these accounts. Sites send such members when they repeat an earlier grant.
 */
const withoutUnknown = (asked: unknown): unknown => {
  if (!isObject(asked)) return asked
  const { [ACCOUNTS_CAVEAT]: accounts, requiredMethods, caveats } = asked
  const listed = Array.isArray(caveats) ? caveats.filter(isForAccounts) : caveats
  const namesAccounts = (accounts ?? null) !== null || (Array.isArray(listed) && listed.length > 0)
  return namesAccounts ? { [ACCOUNTS_CAVEAT]: accounts, requiredMethods, caveats: listed } : asked
}

/**
 * Accepts the caveat in two forms: the standard's, a member by name, and MetaMask's, a list of types with values. An
 * unknown caveat cannot be enforced, so a permission that has only unknown caveats is rejected.
 */
const Asked = v.tuple([
  v.object({
    [ACCOUNTS_PERMISSION]: v.pipe(
      v.unknown(),
      v.transform(withoutUnknown),
      v.strictObject({
        [ACCOUNTS_CAVEAT]: v.nullish(accountList),
        // Asks for accounts that support these methods. It has no effect, because all accounts of the wallet support
        // the same methods.
        requiredMethods: v.nullish(v.array(v.string())),
        caveats: v.nullish(
          v.pipe(
            v.array(v.object({ type: v.literal(ACCOUNTS_CAVEAT, `must be ${ACCOUNTS_CAVEAT}`), value: accountList })),
            v.maxLength(1, 'must have at most one caveat'),
          ),
        ),
      }),
    ),
  }),
])

/**
 * Returns the accounts to which the site restricts itself, null if it names none. If the site uses both forms, returns
 * only the accounts in both.
 */
const restrictedTo = ({ network }: Pick<Context, 'network'>, params: unknown): readonly Address[] | null => {
  const [{ [ACCOUNTS_PERMISSION]: asked }] = parseParamsOn(network.chainId, params, Asked)
  const lists = [asked[ACCOUNTS_CAVEAT], asked.caveats?.[0]?.value].filter(list => !!list)
  return lists.reduce<readonly Address[] | null>(
    (only, list) => (only === null ? list : only.filter(account => list.includes(account))),
    null,
  )
}

/**
 * wallet_requestPermissions: lets the user select the site's accounts, even if it is already connected. If several
 * permissions are requested, only the known one is granted, and the response lists it.
 */
export const requestPermissions: Asking = {
  prepare: async (context, params) => {
    const [permissions] = parseParams(params, permissionsParams)
    assertKnown(permissions)
    return connectDraft(restrictedTo(context, params))
  },
  act: async (context, request) => permissionsOf(await connectPicked(context, request)),
}

/** wallet_revokePermissions: removes the site's permissions at its own request. */
export const revokePermissions: Answering = {
  answer: async ({ requester, disconnect }, params) => {
    const [permissions] = parseParams(params, permissionsParams)
    // As in MetaMask, revoking a site's networks revokes its accounts too.
    if (!Object.hasOwn(permissions, NETWORKS_PERMISSION)) assertKnown(permissions)
    await disconnect(requester)
    return null
  },
}
