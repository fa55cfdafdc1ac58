import type { Fact } from '@prospect/api-client'
import { amongNewest } from '../../../ui/text/among-newest.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { formatNumber } from '../../../ui/text/format.ts'

type Counted = Pick<Fact, 'standing' | 'supporting' | 'contradicting' | 'undecided' | 'newestCounted'>

/** Describes how the evidence supports a fact, and how many of the newest items were counted. */
export function standingWords(fact: Counted): string {
  return `${countsWords(fact)}${amongNewest(fact)}`
}

function countsWords({ standing, supporting, contradicting, undecided }: Counted): string {
  if (standing === 'unsupported')
    return `Unknown: ${countWords(undecided, 'observation cannot be compared', 'observations cannot be compared')}`
  if (standing === 'supported') return `Supported by ${countWords(supporting, 'observation', 'observations')}`
  const against = countWords(contradicting, 'observation contradicts', 'observations contradict')
  return supporting === 0 ? `Contradicted: ${against}` : `Contradicted: ${against}, ${formatNumber(supporting)} agree`
}
