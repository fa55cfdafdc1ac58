/** Public module of the businesses room for worker threads. It imports no schema and no route, and from other rooms only their `*.thread.ts` files. */
export { wasErasedSince } from './record/erasures.ts'
export { facts } from './record/facts.data.ts'
export {
  columnOf,
  contactFacts,
  type FactColumns,
  type FactField,
  factColumns,
  factFields,
  flagSignals,
  isContactFact,
  isNumberFact,
  nounOf,
  type SignalValues,
  storedFacts,
  valueSignals,
} from './record/facts.ts'
export {
  findHoldersAndBlocked,
  type Holder,
  type IdentifierCursor,
  listIdentifiers,
} from './record/known-identifiers.ts'
export { fold } from './search/fold.rules.ts'
