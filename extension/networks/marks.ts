/**
 * Marks of the networks in nodes.ts, by the chain's name in `viem/chains`. They are this wallet's own drawings and
 * resemble no logo: a person tells the networks apart by shape and colour. A test network has the mark of the network
 * before it.
 */
import { box, disc, polygon, regular, star } from './shapes.ts'

/** `hue` is in degrees (OKLCH). `fill` is a filled path, `line` a path drawn as a line 2 units wide. */
export type MarkDrawing = { hue: number; fill?: string; line?: string }

const filled = (hue: number, ...shapes: readonly string[]): MarkDrawing => ({ hue, fill: shapes.join('') })
const drawn = (hue: number, line: string, ...shapes: readonly string[]): MarkDrawing => ({
  ...{ hue, line },
  ...(shapes.length > 0 && { fill: shapes.join('') }),
})

export const MARKS: Readonly<Record<string, MarkDrawing>> = {
  mainnet: filled(275, polygon([8, 1.5], [12.5, 8], [8, 14.5], [3.5, 8])),
  bsc: filled(90, box(2.5, 2.5, 4.75), box(8.75, 2.5, 4.75), box(2.5, 8.75, 4.75), box(8.75, 8.75, 4.75)),
  base: filled(262, 'M2 9.5a6 6 0 0 1 12 0z', box(2, 11, 12, 2)),
  arbitrum: drawn(235, 'M3 8.5l5-5 5 5M3 13l5-5 5 5'),
  arbitrumNova: drawn(45, 'M3 13l5-5 5 5', disc(2, 8, 4)),
  polygon: filled(300, regular(5, 6.75)),
  optimism: filled(25, disc(6), disc(3)),
  avalanche: filled(350, polygon([1.5, 13], [6, 4], [8.5, 9], [10.5, 6], [14.5, 13])),
  linea: drawn(200, 'M3.5 12.5l9-9'),
  scroll: drawn(65, 'M8 8a2.75 2.75 0 1 0-5.5 0M8 8a2.75 2.75 0 1 0 5.5 0'),
  zksync: filled(230, polygon([3, 2.5], [13, 2.5], [3, 13.5], [13, 13.5])),
  gnosis: drawn(160, 'M2.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M6.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0'),
  sonic: drawn(35, 'M3 7.5a5.5 5.5 0 0 1 5.5 5.5M3 3a10 10 0 0 1 10 10', disc(1.5, 4, 12)),
  berachain: filled(55, disc(2.75, 8, 4.5), disc(2.75, 4.25, 11), disc(2.75, 11.75, 11)),
  hyperEvm: filled(175, polygon([2, 3], [14, 13], [14, 3], [2, 13])),
  monad: filled(290, box(2.5, 2.5, 11), disc(3)),
  unichain: filled(345, star(4, 7, 2.25)),
  worldchain: filled(240, disc(6.25), disc(4.25), disc(2)),
  mantle: drawn(185, 'M3 3l5 3 5-3M3 7l5 3 5-3M3 11l5 3 5-3'),
  celo: filled(85, 'M8 8V2a6 6 0 1 0 6 6z'),
  blast: filled(110, star(8, 7, 3.75)),
  cronos: filled(255, regular(6, 6.75), regular(6, 2.75)),
  opBNB: filled(80, box(2.5, 2.5, 6), box(7.5, 7.5, 6)),
  sei: drawn(10, 'M1.5 8c2-5 4.5-5 6.5 0s4.5 5 6.5 0'),
  ronin: filled(220, polygon([8, 1.5], [10.5, 10], [5.5, 10]), box(3.5, 11.5, 9, 2)),
  kaia: filled(130, 'M2.5 13.5c0-7 4-11 11-11c0 7-4 11-11 11z'),
  ink: filled(295, 'M8 1.5c3 4 4.5 6 4.5 8.25a4.5 4.5 0 0 1-9 0c0-2.25 1.5-4.25 4.5-8.25z'),
  soneium: filled(250, disc(2.25, 8, 3.5), disc(2.25, 3.5, 8), disc(2.25, 12.5, 8), disc(2.25, 8, 12.5)),
  abstract: filled(150, box(2.5, 2.5, 11), box(5, 5, 6)),
  katana: drawn(20, 'M2.5 12l6-8M7.5 12l6-8'),
  plasma: filled(165, box(2.5, 9.5, 2.75, 4), box(6.63, 6, 2.75, 7.5), box(10.75, 2.5, 2.75, 11)),
  taiko: filled(
    330,
    'M5 2.5h6a2.25 2.25 0 0 1 0 4.5H5a2.25 2.25 0 0 1 0-4.5zM5 9h6a2.25 2.25 0 0 1 0 4.5H5a2.25 2.25 0 0 1 0-4.5z',
  ),
  mode: filled(120, 'M2.5 13.5V8a5.5 5.5 0 0 1 11 0v5.5H10V8a2 2 0 0 0-4 0v5.5z'),
  zora: filled(310, disc(5.75)),
  fraxtal: filled(
    0,
    polygon([8, 2], [11, 7.5], [5, 7.5]),
    polygon([4.75, 8], [7.75, 13.5], [1.75, 13.5]),
    polygon([11.25, 8], [14.25, 13.5], [8.25, 13.5]),
  ),
  metis: drawn(190, 'M2 11l3-6 3 6 3-6 3 6'),
  moonbeam: filled(340, 'M10.5 2a6.25 6.25 0 1 0 0 12a7.5 7.5 0 0 1 0-12z'),
  moonriver: filled(70, 'M8.5 2a6.25 6.25 0 1 0 5.5 8.5a6.5 6.5 0 0 1-5.5-8.5z', disc(1.75, 12, 4.5)),
  apeChain: filled(260, polygon([5, 2.5], [11, 2.5], [14, 9.5], [2, 9.5]), box(2, 11, 12, 2.5)),
  immutableZkEvm: drawn(210, 'M3 3l10 10M13 3L3 13'),
  flowMainnet: drawn(155, 'M6 5h8M2 11h8', disc(1.5, 3, 5), disc(1.5, 13, 11)),
  lisk: filled(235, polygon([8, 2], [13.5, 7.5], [10.5, 7.5], [10.5, 13.5], [5.5, 13.5], [5.5, 7.5], [2.5, 7.5])),
  rootstock: drawn(
    50,
    'M8 4v4M8 8l-4.5 4M8 8l4.5 4M8 8v4',
    disc(2, 8, 3.5),
    disc(1.75, 3.5, 12.25),
    disc(1.75, 12.5, 12.25),
    disc(1.75, 8, 12.25),
  ),
  coreDao: filled(95, box(2, 2, 12), box(4, 4, 8), box(6, 6, 4)),
  pulsechain: drawn(320, 'M1.5 8h3l2-5 3 10 2-5h3'),
  fantom: filled(
    225,
    polygon([8, 1.5], [13, 4.4], [8, 7.3], [3, 4.4]),
    polygon([2.5, 5.6], [7.4, 8.4], [7.4, 14.2], [2.5, 11.4]),
    polygon([13.5, 5.6], [8.6, 8.4], [8.6, 14.2], [13.5, 11.4]),
  ),
  filecoin: filled(
    190,
    polygon([3.5, 2], [9, 2], [12.5, 5.5], [12.5, 14], [3.5, 14]),
    box(5.5, 7.5, 5, 1.5),
    box(5.5, 10.5, 5, 1.5),
  ),
  flare: drawn(350, 'M8 2v3M2.5 5l2.25 2.25M13.5 5l-2.25 2.25', 'M3 13a5 5 0 0 1 10 0z'),
  zetachain: drawn(145, 'M3 3.5h9.5L3.5 12.5H13'),
  xLayer: filled(125, polygon([8, 1.75], [14, 5], [8, 8.25], [2, 5]), 'M2 8.5l6 3.25 6-3.25v2.5l-6 3.25-6-3.25z'),
  bob: filled(40, 'M4 2h4a3 3 0 0 1 0 5.5H4zM4 8.5h5a2.75 2.75 0 0 1 0 5.5H4z'),
  manta: filled(205, polygon([1.5, 4], [8, 7], [14.5, 4], [9, 10.5], [8, 14.5], [7, 10.5])),
  chiliz: drawn(28, 'M3.5 3a9.5 9.5 0 0 0 9.5 9.5', disc(2.25, 11, 4.75)),
  hemi: drawn(5, 'M9 3a5 5 0 0 1 0 10', 'M7 2v12a6 6 0 0 1 0-12z'),
  plumeMainnet: filled(75, 'M8 1.5c4 3.5 4 7.5 0 11c-4-3.5-4-7.5 0-11z', box(7.25, 12.5, 1.5, 2.25)),
  morph: filled(140, 'M7.25 2.5v11a5.5 5.5 0 0 1 0-11z', box(8.75, 2.5, 5, 11)),
  aurora: drawn(170, 'M2.5 12.5a5.5 5.5 0 0 1 11 0M6 12.5a2 2 0 0 1 4 0'),
  megaeth: drawn(315, 'M2.5 3.5L6 8l-3.5 4.5M6.5 3.5L10 8l-3.5 4.5M10.5 3.5L14 8l-3.5 4.5'),
  classic: filled(148, polygon([8, 1.5], [13, 8], [8, 14.5], [3, 8]), polygon([8, 5], [10.25, 8], [8, 11], [5.75, 8])),
  xdc: drawn(195, 'M2.5 3.5L7 8l-4.5 4.5M13.5 3.5L9 8l4.5 4.5'),
}
