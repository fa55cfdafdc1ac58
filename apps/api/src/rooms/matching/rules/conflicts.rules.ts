import { pipelineLabel } from '../../../lib/pipeline-state.ts'
import { type Business, nounOf, type StoredFact, storedFacts, storedValueOf } from '../../businesses/businesses.ts'

/** A field in which two records that may be one business disagree. */
export type Conflict = { field: string; values: [string, string]; text: string }

const first: StoredFact = 'registrationNumber'
/** The facts in the order in which people decide: the number that identifies a business first. */
const inOrder = [first, ...storedFacts.filter((field) => field !== first)]

/**
 * Returns all fields that both records fill with different values, in a fixed order. A merge requires a decision on each of them except
 * `doNotContact`, because the block always survives.
 */
export function conflictsOf(a: Business, b: Business): Conflict[] {
  const conflicts: Conflict[] = []
  const compare = (field: string, words: string, left: string | null | undefined, right: string | null | undefined) => {
    if (left == null || right == null || left === right) return
    conflicts.push({ field, values: [left, right], text: `${words} “${left}” and “${right}”` })
  }
  compare('pipelineState', 'Their pipeline states differ:', pipelineLabel(a), pipelineLabel(b))
  compare('assignee', 'They are assigned to different people:', a.assignee?.name, b.assignee?.name)
  // Compares a value as it was typed, because the reasons may already state that both spellings are read as the same name or town.
  for (const field of inOrder) {
    const [left, right] = [storedValueOf(a, field), storedValueOf(b, field)]
    compare(
      field,
      `Their ${nounOf(field)} differs:`,
      left === null ? null : String(left),
      right === null ? null : String(right),
    )
  }
  if ((a.doNotContact === null) !== (b.doNotContact === null)) {
    const said = (business: Business) => (business.doNotContact === null ? 'may be contacted' : 'do not contact')
    conflicts.push({
      field: 'doNotContact',
      values: [said(a), said(b)],
      text: 'One of them is marked do not contact: the mark is always kept',
    })
  }
  return conflicts
}
