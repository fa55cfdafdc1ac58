/** The room's door for threads that work beside the API: nothing behind it loads a schema, a route, or of another room more than its door of this kind. */
export { wasErasedSince } from './erased-since.ts'
export { factFields } from './fact-fields.ts'
export { findHoldersAndBlocked, type Holder, type IdentifierPlace, listIdentifiers } from './known-identifiers.ts'
