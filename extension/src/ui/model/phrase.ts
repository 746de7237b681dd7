/** Chooses the words of a recovery phrase that the user is asked for. */

/** Returns `count` different random positions below `length`, sorted. */
export const pickPlaces = (length: number, count: number): number[] => {
  const places = Array.from({ length }, (_, place) => place)
  const keys = crypto.getRandomValues(new Uint32Array(length))
  return places
    .toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0))
    .slice(0, count)
    .toSorted((one, other) => one - other)
}
