/** The room's door for threads that read beside the API: nothing behind it loads a schema, a route, or of another room more than its door of this kind. */
export { factFields } from './fact-fields.ts'
export { findHolders, type Holder, type IdentifierPlace, listIdentifiers } from './known-identifiers.ts'
