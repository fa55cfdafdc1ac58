/** Public module of the matching room. It finds pairs of records that may be one business and suggests them; only a person decides. */

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
