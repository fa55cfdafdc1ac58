import { pipelineLabel } from '../../../lib/pipeline-state.ts'
import type { Business } from '../../businesses/businesses.ts'

/** A field in which two records that may be one business disagree. */
export type Conflict = { field: string; values: [string, string]; text: string }

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
  const compareWritten = (field: string, name: string, left: string | null, right: string | null) =>
    compare(field, `Their ${name} differs:`, left, right)
  compareWritten('registrationNumber', 'registration number', a.registrationNumber, b.registrationNumber)
  compareWritten('name', 'name', a.name, b.name)
  compareWritten('tradingName', 'trading name', a.tradingName, b.tradingName)
  compareWritten('industry', 'industry', a.industry, b.industry)
  for (const part of ['street', 'suburb', 'city', 'province', 'postalCode', 'country'] as const)
    compareWritten(`address.${part}`, part === 'postalCode' ? 'postal code' : part, a.address[part], b.address[part])
  if ((a.doNotContact === null) !== (b.doNotContact === null)) {
    const said = (business: Business) => (business.doNotContact === null ? 'may be contacted' : 'do not contact')
    conflicts.push({
      field: 'doNotContact',
      values: [said(a), said(b)],
      text: 'One of them is blocked: do not contact always survives',
    })
  }
  return conflicts
}
