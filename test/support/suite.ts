/** Which of the two test commands runs: `npm test`, the gate, or `npm run test:all`, everything else. */
export const isComplete: boolean = process.env.SUITE === 'all'
