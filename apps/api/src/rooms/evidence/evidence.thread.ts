/** The room's door for threads that read beside the API: nothing behind it loads a schema or a route. */
export { agreementWith, type StatedFact } from './claims.rules.ts'
