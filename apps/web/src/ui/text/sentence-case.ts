/** Capitalises the first letter, for words that start a sentence or a label. */
export const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
