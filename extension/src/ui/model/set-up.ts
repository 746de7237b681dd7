/** The steps of onboarding: first those that create the wallet, then optional ones. */
import { text } from '../format/text.ts'

export type Way = 'create' | 'import'

/** The optional steps after the wallet exists, in order. */
export const LATER_STEPS = ['networks'] as const
export type LaterStep = (typeof LATER_STEPS)[number]

/** Returns the titles of all steps. */
export const stepsOf = (way: Way): readonly string[] => [
  ...(way === 'create'
    ? [text('stepPassword'), text('stepPhrase'), text('stepConfirm')]
    : [text('stepImport'), text('stepPassword')]),
  ...LATER_STEPS.map(step => text(`step_${step}`)),
]

/** Returns the index of a later step among all steps. */
export const placeOf = (way: Way, step: LaterStep): number =>
  stepsOf(way).length - LATER_STEPS.length + LATER_STEPS.indexOf(step)
