/** Front door of the room that finds records which may be one business. Matching reads businesses and suggests pairs; only a person decides. */

export {
  type CountedWords,
  countedWordsOf,
  eraseMatches,
  eraseWords,
  isStillCounted,
  type SuggestionTraces,
  suggestionTracesOf,
} from './suggestions/erase-matches.ts'
