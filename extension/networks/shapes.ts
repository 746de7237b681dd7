/** Shapes on a 16 × 16 grid, as SVG path data. Filled shapes use the even-odd rule, so a shape inside another is a hole. */

const CENTRE = 8

/** Rounds to hundredths, so that the file stays small. */
const short = (value: number): string => String(Math.round(value * 100) / 100)

type Point = readonly [x: number, y: number]

export const polygon = (...points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join('L')}z`

export const box = (x: number, y: number, width: number, height = width): string =>
  `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`

export const disc = (radius: number, x = CENTRE, y = CENTRE): string =>
  `M${short(x - radius)} ${short(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`

const onCircle = (radius: number, turn: number): Point => {
  const angle = (turn - 0.25) * 2 * Math.PI
  return [CENTRE + radius * Math.cos(angle), CENTRE + radius * Math.sin(angle)]
}

/** A regular polygon. `turn` rotates it, as a part of a full turn; at 0 it has a corner at the top. */
export const regular = (corners: number, radius: number, turn = 0): string =>
  polygon(...Array.from({ length: corners }, (_, at) => onCircle(radius, turn + at / corners)))

/** A star with its first point at the top. */
export const star = (points: number, outer: number, inner: number): string =>
  polygon(...Array.from({ length: 2 * points }, (_, at) => onCircle(at % 2 === 0 ? outer : inner, at / (2 * points))))
