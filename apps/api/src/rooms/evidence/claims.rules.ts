import { type FactField, facts, isContactFact } from '../businesses/businesses.pure.ts'
import { type Agreement, agreeWith } from '../normalization/normalization.ts'

/** One value of a record. A field such as email can have several values. */
export type StatedFact = { field: FactField; value: string; region: string | null }

/** How a claim relates to a fact, and how their values agree. */
export type ClaimRelation = {
  relation: 'supports' | 'contradicts' | 'undecided' | 'unrelated'
  agreement: Agreement
}

const relations = {
  same: 'supports',
  compatible: 'supports',
  different: 'contradicts',
  unknown: 'undecided',
} as const satisfies Record<Agreement['answer'], ClaimRelation['relation']>

/**
 * Returns a function that compares claims of the fact's field with this fact. The fact is read once, and each different text of a claim once. A
 * different claim contradicts the fact, unless the field can have several values (email, phone, domain): then it is unrelated.
 */
export function relationTo(fact: StatedFact): (claimed: string) => ClaimRelation {
  const { field, region } = fact
  const agreementOf = agreeWith(facts[field].compare, fact.value, region)
  const known = new Map<string, ClaimRelation>()
  return (claimed) => {
    const earlier = known.get(claimed)
    if (earlier !== undefined) return earlier
    const agreement = agreementOf(claimed)
    const relation: ClaimRelation['relation'] =
      agreement.answer === 'different' && isContactFact(field) ? 'unrelated' : relations[agreement.answer]
    known.set(claimed, { relation, agreement })
    return { relation, agreement }
  }
}

export type FactSupport = 'supported' | 'contradicted' | 'unsupported'

/** Returns how the evidence supports a fact. One contradicting claim outweighs any number of supporting ones. Undecided claims do not count. */
export function factSupport({ supporting, contradicting }: { supporting: number; contradicting: number }): FactSupport {
  if (contradicting > 0) return 'contradicted'
  return supporting > 0 ? 'supported' : 'unsupported'
}
