/** Public module of the businesses room for pure functions: facts and folding. It loads no query builder, for worker threads that open no store. */
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
export { fold } from './search/fold.rules.ts'
