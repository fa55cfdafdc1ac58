/** Public module of the evidence room for worker threads. It imports no schema and no route. */
export { agreementWith, type StatedFact } from './claims.rules.ts'
