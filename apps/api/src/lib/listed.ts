/** Joins words in a sentence: 'the name', 'the name and the street', 'the name, a phone number, and the street'. */
export function listed(words: readonly string[], joint: 'and' | 'or' = 'and'): string {
  return formats[joint].format(words)
}

const formats = {
  and: new Intl.ListFormat('en', { type: 'conjunction' }),
  or: new Intl.ListFormat('en', { type: 'disjunction' }),
}
