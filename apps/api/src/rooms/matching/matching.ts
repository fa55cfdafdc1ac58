/**
 * The room that finds records which may be one business: the front door, all that the app and rooms above may use. Matching reads
 * businesses and proposes; only a person decides.
 */

export { eraseMatches, type MatchesOf, matchesOf } from './erase-matches.ts'
export { startMatching } from './follow-changes.ts'
export { matchRun, renormalization } from './matching.jobs.ts'
