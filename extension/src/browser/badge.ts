/** The badge on the wallet's icon: how many requests wait, or that a muted site has asked for something. */
import type { UiState } from '../messages.ts'
import { report } from '../wallet/failures.ts'
import browser from './api.ts'

/** Shown where nothing waits, but a request was refused without asking the person. */
const NOTICE = '!'

export const badgeText = ({ waiting, remote, muted }: Pick<UiState, 'waiting' | 'remote' | 'muted'>): string => {
  const count = waiting.length + remote.proposals.length
  if (count > 0) return String(count)
  return muted.some(({ asked }) => asked) ? NOTICE : ''
}

/** Returns what to call with each new state. A notice goes when the last site is no longer muted. */
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
