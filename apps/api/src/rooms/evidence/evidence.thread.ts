/** Public module of the evidence room for worker threads. It imports no schema and no route. */
export { relationTo, type StatedFact } from './claims.rules.ts'
