/**
 * Public module of the review room: reviews, saved filters and bulk actions. A predicate consists of the conditions and the order of a list, a count or
 * a selection, resolved for one person.
 */
export { applyFilter } from './filters/saved-filters.ts'
export { compilePredicate, defaultConditions, type Predicate, predicateSchema } from './queue/predicate.ts'
