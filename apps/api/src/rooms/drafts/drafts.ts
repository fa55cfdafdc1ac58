/** Public module of the drafts room: the draft policies whose sources are due for review. */
export { watchPolicyReviews } from './policies/policies.queries.ts'
