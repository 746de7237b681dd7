/**
 * Reordering of a list's rows: with a pointer by each row's handle, an element with `data-handle`; with the keyboard by
 * Alt and the up or down arrow key on a row.
 */

export type Reordering = {
  /** Called when a row has been moved to another place. Both places are counted from 0. */
  move: (from: number, to: number) => void
  /** Called while a row is dragged, with the place to which it would move; with null at the end. */
  mark: (drag: { from: number; to: number } | null) => void
}

/** Distance from the list's edge within which a dragged row scrolls the list, and the step. In px. */
const EDGE = 24
const STEP = 12

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** Attachment for a list whose children are its rows. */
export const reorder =
  ({ move, mark }: Reordering) =>
  (list: HTMLElement): (() => void) => {
    let drag: { from: number; to: number } | null = null
    const placeOf = (element: Element | null): number =>
      [...list.children].findIndex(row => element !== null && row.contains(element))
    const end = () => {
      drag = null
      mark(null)
    }

    const grab = (event: PointerEvent) => {
      const handle = event.target instanceof Element ? event.target.closest('[data-handle]') : null
      if (handle === null || event.button !== 0) return
      event.preventDefault()
      const from = placeOf(handle)
      drag = { from, to: from }
      list.setPointerCapture(event.pointerId)
      mark(drag)
    }
    const drop = () => {
      if (drag === null) return
      const { from, to } = drag
      end()
      if (from !== to) move(from, to)
    }
    const follow = ({ clientY }: PointerEvent) => {
      if (drag === null) return
      const { top, bottom, left, width } = list.getBoundingClientRect()
      if (clientY < top + EDGE) list.scrollTop -= STEP
      else if (clientY > bottom - EDGE) list.scrollTop += STEP
      const y = Math.min(Math.max(clientY, top + 1), bottom - 1)
      const to = placeOf(document.elementFromPoint(left + width / 2, y))
      if (to < 0 || to === drag.to) return
      drag = { ...drag, to }
      mark(drag)
    }
    const press = (event: KeyboardEvent) => {
      const step = KEY_STEPS[event.key]
      if (step === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const from = placeOf(document.activeElement)
      const to = from + step
      if (from >= 0 && to >= 0 && to < list.children.length) move(from, to)
    }
    /** Esc ends the drag, before it closes the dialog around the list. */
    const cancel = (event: KeyboardEvent) => {
      if (drag === null || event.key !== 'Escape') return
      event.preventDefault()
      end()
    }

    const listeners = new AbortController()
    const { signal } = listeners
    list.addEventListener('pointerdown', grab, { signal })
    list.addEventListener('pointermove', follow, { signal })
    list.addEventListener('pointerup', drop, { signal })
    list.addEventListener('pointercancel', end, { signal })
    list.addEventListener('keydown', press, { signal })
    document.addEventListener('keydown', cancel, { signal, capture: true })
    return () => listeners.abort()
  }
