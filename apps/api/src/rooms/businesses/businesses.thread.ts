/** Public module of the businesses room for worker threads. It imports no schema and no route, and from other rooms only their `*.thread.ts` files. */
export { wasErasedSince } from './record/erased-since.ts'
export { type FactField, factFields } from './record/fact-fields.ts'
export {
  findHoldersAndBlocked,
  type Holder,
  type IdentifierCursor,
  listIdentifiers,
} from './record/known-identifiers.ts'
export { fold } from './search/fold.rules.ts'
