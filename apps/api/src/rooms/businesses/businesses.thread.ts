/**
 * Public module of the businesses room for the queries of worker threads. It imports no schema and no route, and from other rooms only their
 * `*.thread.ts` files.
 */
export { wasErasedSince } from './record/erasures.ts'
export {
  findHoldersAndBlocked,
  type Holder,
  type IdentifierCursor,
  listIdentifiers,
} from './record/known-identifiers.ts'
