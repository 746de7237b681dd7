/**
 * The section of relays. A relay's key stays with the wallet that made it, because two wallets with the same key would
 * take each other's messages. Sessions stay too: their peers know one wallet.
 */
import * as v from 'valibot'
import { toRelayUrl } from '../session/relay-url.ts'
import { MAX_RELAYS, relayOf } from '../session/relays.ts'
import { rpcError } from '../text/errors.ts'
import { plain, type Section } from './section.ts'

export const relays: Section<'relays'> = {
  name: 'relays',
  schema: v.object({
    url: v.pipe(
      v.string(),
      v.transform(toRelayUrl),
      v.check(url => url !== undefined),
      v.transform(url => url ?? ''),
    ),
  }),
  idOf: ({ url }) => url,
  read: async ({ sessions }) => ((await sessions.read())?.relays ?? []).map(({ url }) => ({ url })),
  fitting:
    ({ held }) =>
    relay => {
      if (held.relays.size >= MAX_RELAYS) throw rpcError('limitExceeded', 'tooManyRelays', { limit: MAX_RELAYS })
      return plain(relay)
    },
  write: async ({ parts }, items) => {
    await parts.sessions.change(state => {
      const known = new Set(state.relays.map(({ url }) => url))
      return {
        ...state,
        relays: [...state.relays, ...items.filter(({ url }) => !known.has(url)).map(item => relayOf(item.url))],
      }
    })
  },
}
