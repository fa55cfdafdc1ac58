/**
 * The room of reviews, saved filters and bulk actions: the front door, all that other rooms may use. A predicate is what a list, a count or a selection
 * asks for, resolved for one person.
 */
export { applyFilter } from './filters/saved-filters.ts'
export { compilePredicate, defaultConditions, type Predicate, predicateSchema } from './queue/predicate.ts'
