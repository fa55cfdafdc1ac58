/** The room's door for threads that work beside the API: nothing behind it loads a schema, a route, or of another room more than its door of this kind. */
export { wasErasedSince } from './record/erased-since.ts'
export { type FactField, factFields } from './record/fact-fields.ts'
export {
  findHoldersAndBlocked,
  type Holder,
  type IdentifierPlace,
  listIdentifiers,
} from './record/known-identifiers.ts'
export { fold } from './search/search-text.rules.ts'
