/** The steps of the set-up: those that make the wallet, and those after it, which can all wait. */
import { text } from './text.ts'

export type Way = 'create' | 'import'

/** What is asked once the wallet is there, in this order. */
export const LATER_STEPS = ['networks'] as const
export type LaterStep = (typeof LATER_STEPS)[number]

/** The names of all steps, as they stand above each. */
export const stepsOf = (way: Way): readonly string[] => [
  ...(way === 'create'
    ? [text('stepPassword'), text('stepPhrase'), text('stepConfirm')]
    : [text('stepImport'), text('stepPassword')]),
  ...LATER_STEPS.map(step => text(`step_${step}`)),
]

/** Where a later step stands among all. */
export const placeOf = (way: Way, step: LaterStep): number =>
  stepsOf(way).length - LATER_STEPS.length + LATER_STEPS.indexOf(step)
