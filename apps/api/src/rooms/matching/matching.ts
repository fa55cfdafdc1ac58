/** Front door of the room that finds records which may be one business. Matching reads businesses and suggests pairs; only a person decides. */

export { countSuggestions } from './suggestions/count-suggestions.ts'
export {
  type CountedWords,
  countedWordsOf,
  eraseMatches,
  eraseWords,
  isStillCounted,
  type SuggestionTraces,
  suggestionTracesOf,
} from './suggestions/erase-matches.ts'
