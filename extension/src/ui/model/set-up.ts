/** The steps of onboarding: the steps that create the wallet, then optional ones. */
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

/**
 * Picks the words of the phrase that the user must confirm. Returns `count` different random positions below `length`,
 * sorted.
 */
export const pickPlaces = (length: number, count: number): number[] => {
  const places = Array.from({ length }, (_, place) => place)
  const keys = crypto.getRandomValues(new Uint32Array(length))
  return places
    .toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0))
    .slice(0, count)
    .toSorted((one, other) => one - other)
}
