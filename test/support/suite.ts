/** True in `npm run test:all`, which runs everything; false in `npm test`, the gate. */
export const isComplete: boolean = process.env.SUITE === 'all'
