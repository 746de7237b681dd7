/**
 * The badge on the wallet's icon: the number of pending requests and of new transfers, or a notice that a muted site sent
 * a request.
 */
import type { UiState } from '../messages.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

/** Badge text if nothing is pending, but a request was rejected automatically. */
const NOTICE = '!'

type Counted = Pick<UiState, 'waiting' | 'remote' | 'muted' | 'unseen'>

const badgeText = ({ waiting, remote, muted, unseen }: Counted): string => {
  const count = waiting.length + remote.proposals.length + unseen
  if (count > 0) return String(count)
  return muted.some(({ asked }) => asked) ? NOTICE : ''
}

/**
 * Returns a function that updates the badge; call it with each new state. The notice disappears when the last mute
 * ends.
 */
export const createBadge = (): ((state: UiState) => void) => {
  let shown = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (text: string) => {
    if (text === shown) return
    shown = text
    browser.action.setBadgeText({ text }).catch(report)
  }

  return state => {
    const text = badgeText(state)
    clearTimeout(timer)
    if (text === NOTICE) {
      const until = Math.max(...state.muted.map(muted => muted.until))
      timer = setTimeout(() => show(''), until - Date.now())
    }
    show(text)
  }
}
