import type { Fact } from '@prospect/api-client'
import { amongNewest } from '../../../ui/text/among-newest.ts'
import { formatNumber } from '../../../ui/text/format.ts'

type Counted = Pick<Fact, 'standing' | 'supporting' | 'contradicting' | 'newestCounted'>

/** Describes how the evidence supports a fact, and how many of the newest items were counted. */
export function standingWords(fact: Counted): string {
  return `${countsWords(fact)}${amongNewest(fact)}`
}

function countsWords({ standing, supporting, contradicting }: Counted): string {
  if (standing === 'supported')
    return supporting === 1 ? 'Supported by 1 observation' : `Supported by ${formatNumber(supporting)} observations`
  const against =
    contradicting === 1 ? '1 observation contradicts' : `${formatNumber(contradicting)} observations contradict`
  return supporting === 0 ? `Contradicted: ${against}` : `Contradicted: ${against}, ${formatNumber(supporting)} agree`
}
