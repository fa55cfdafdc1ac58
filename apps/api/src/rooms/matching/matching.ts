/**
 * The room that finds records which may be one business: the front door, all that the app and rooms above may use. Matching reads
 * businesses and proposes; only a person decides.
 */

export { matchRun, renormalization } from './matching.jobs.ts'
export {
  type CountedWords,
  countedWordsOf,
  eraseMatches,
  eraseWords,
  isStillCounted,
  type MatchesOf,
  matchesOf,
} from './suggestions/erase-matches.ts'
export { startMatching } from './suggestions/follow-changes.ts'
