/** How many cases the fuzz tests make: `FUZZ_FACTOR=10` makes ten times as many as `npm test`. */
const factor = Number(process.env.FUZZ_FACTOR ?? 1)

/** The number of cases of a test that makes `usual` ones in `npm test`. */
export const fuzzCases = (usual: number): number => Math.ceil(usual * factor)
