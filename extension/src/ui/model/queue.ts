/** The queue of the approval window or of a panel: requests and session proposals. */
import type { ProposalView, RequestView, UiState, WaitingView } from '../../messages.ts'
import { headlineOf } from '../format/headline.ts'
import type { IconName } from '../format/icons.ts'
import { lengthFindings } from '../format/length.ts'
import { askerName, peerName } from '../format/remote.ts'
import { text } from '../format/text.ts'
import { levelOf } from './risk.ts'

export type Item = { id: string; at: number } & (
  | { kind: 'request'; request: RequestView }
  | { kind: 'proposal'; proposal: ProposalView }
)

/**
 * Returns the state with only the requests that a panel shows. With null, returns it with the approval window's requests
 * and all proposals.
 */
export const shownIn = (state: UiState, place: number | null): UiState => {
  const isHere = ({ panel }: Pick<WaitingView, 'panel'>) => (panel ?? null) === place
  const { requests, waiting, remote } = state
  return {
    ...state,
    requests: requests.filter(isHere),
    waiting: waiting.filter(isHere),
    remote: place === null ? remote : { ...remote, proposals: [] },
  }
}

/**
 * Returns the items in order of arrival. Leaves out requests that only wait for unlocking, because unlocking answers
 * them.
 */
export const itemsOf = ({ requests, remote }: UiState): Item[] => {
  const asked = requests
    .filter(({ effect }) => effect.kind !== 'unlock')
    .map((request): Item => ({ kind: 'request', id: request.id, at: request.createdAt, request }))
  const proposed = remote.proposals.map(
    (proposal): Item => ({ kind: 'proposal', id: proposal.id, at: proposal.createdAt, proposal }),
  )
  return [...asked, ...proposed].toSorted((one, other) => one.at - other.at)
}

/** Returns a row's title, the requester's name, and the risk level. Render title and name with Text.svelte. */
export const rowOf = (
  item: Item,
): { icon: IconName; title: string; who: string; level: RequestView['findings'][number]['level'] } => {
  if (item.kind === 'proposal') {
    const who = peerName(item.proposal.peer)
    return { icon: 'relay', title: text('connectTo', who), who, level: 'none' }
  }
  const { effect, findings } = item.request
  const { icon, title } = headlineOf(item.request)
  return { icon, title, who: askerName(item.request), level: levelOf([...findings, ...lengthFindings(effect)]) }
}
