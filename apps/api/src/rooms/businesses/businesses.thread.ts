/** The room's door for threads that read beside the API: nothing behind it loads a schema, a route or another room. */
export { factFields } from './fact-fields.ts'
export { findHolders, type Holder, listIdentifiers } from './known-identifiers.ts'
