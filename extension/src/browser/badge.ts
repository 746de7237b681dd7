/**
 * The badge on the wallet's icon: the number of pending requests and of new transfers, or a notice that a muted site sent
 * a request. For a moment, also that the address was copied.
 */
import type { UiState } from '../messages.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

/** Badge text if nothing is pending, but a request was rejected automatically. */
const NOTICE = '!'
/** Badge text after the address was copied, and the ms for which it stays. */
const COPIED = '✓'
export const COPIED_STAYS = 2_000

type Counted = Pick<UiState, 'waiting' | 'remote' | 'muted' | 'unseen'>

const badgeText = ({ waiting, remote, muted, unseen }: Counted): string => {
  const count = waiting.length + remote.proposals.length + unseen
  if (count > 0) return String(count)
  return muted.some(({ asked }) => asked) ? NOTICE : ''
}

export type Badge = {
  /** Updates the badge; call it with each new state. The notice disappears when the last mute ends. */
  show(state: UiState): void
  /** Shows for a moment that the address was copied. */
  copied(): void
}

export const createBadge = (): Badge => {
  let shown = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const write = (text: string) => void browser.action.setBadgeText({ text }).catch(report)
  const show = (text: string) => {
    if (text === shown) return
    shown = text
    write(text)
  }

  return {
    show: state => {
      const text = badgeText(state)
      clearTimeout(timer)
      if (text === NOTICE) {
        const until = Math.max(...state.muted.map(muted => muted.until))
        timer = setTimeout(() => show(''), until - Date.now())
      }
      show(text)
    },
    copied: () => {
      write(COPIED)
      setTimeout(() => write(shown), COPIED_STAYS)
    },
  }
}
