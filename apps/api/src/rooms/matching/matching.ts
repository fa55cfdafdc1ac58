/**
 * The room that finds records which may be one business: the front door, all that the app and rooms above may use. Matching reads
 * businesses and proposes; only a person decides.
 */

export {
  type CountedWords,
  countedWordsOf,
  eraseMatches,
  eraseWords,
  isStillCounted,
  type MatchesOf,
  matchesOf,
} from './suggestions/erase-matches.ts'
