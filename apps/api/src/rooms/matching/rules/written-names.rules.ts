import { comparedName, readBusinessName, wordDifferences } from '../../normalization/normalization.ts'

/** The names of a record as typed. */
export type RecordNames = { name: string; tradingName: string | null }

type WrittenName = { text: string; canonical: string }

/**
 * Returns the two compared names as the records write them, sorted, so that the order of the records does not matter. Returns undefined if a record
 * has another name now, or was compared by the name of a record merged into it.
 */
export function writtenNames(
  canonical: readonly string[],
  [a, b]: readonly [RecordNames, RecordNames],
): string[] | undefined {
  const [one, other = one] = canonical
  for (const own of namesOf(a)) {
    for (const theirs of namesOf(b)) {
      const isInOrder = own.canonical === one && theirs.canonical === other
      if (isInOrder || (own.canonical === other && theirs.canonical === one)) return [own.text, theirs.text].sort()
    }
  }
  return undefined
}

/** Describes how the spelling of two names differs that are read as the same name. */
export function sameNameText([one, other]: readonly [string, string]): string {
  if (one === other) return `same name “${one}”`
  const differences = wordDifferences(one, other)
  if (differences.length === 0) return `same name: “${one}” and “${other}”`
  const how = differences.every(({ isTranslation }) => isTranslation) ? 'translated' : 'written differently'
  return `same name, ${how}: ${differences.map((words) => `${words.one} = ${words.other}`).join(', ')}`
}

function namesOf({ name, tradingName }: RecordNames): WrittenName[] {
  const read = readBusinessName(name)
  const { tradingAs } = read
  const names = [{ text: name, canonical: comparedName(read) }]
  if (tradingAs !== null) names.push({ text: name, canonical: tradingAs.join(' ') })
  if (tradingName !== null) names.push({ text: tradingName, canonical: comparedName(readBusinessName(tradingName)) })
  return names.map((one) => ({ ...one, text: one.text.trim() }))
}
