import { placeWords } from '../../../lib/pipeline-state.ts'
import type { Business } from '../../businesses/businesses.ts'

/** What disagrees between two records that may be one business. */
export type Conflict = { field: string; values: [string, string]; text: string }

/**
 * Everything that both records say and say differently, in a fixed order. None of it stops anybody here: whoever makes one record of
 * two decides each of them. Do not contact is no conflict, it always survives; that only one is blocked is told.
 */
export function conflictsOf(a: Business, b: Business): Conflict[] {
  const conflicts: Conflict[] = []
  const compare = (field: string, words: string, left: string | null | undefined, right: string | null | undefined) => {
    if (left == null || right == null || left === right) return
    conflicts.push({ field, values: [left, right], text: `${words} “${left}” and “${right}”` })
  }
  compare('pipelineState', 'They stand at different places of the pipeline:', placeWords(a), placeWords(b))
  compare('assignee', 'Different people look after them:', a.assignee?.name, b.assignee?.name)
  // As it is written: the reasons may tell of the same two that they are one name or one town.
  const compareWritten = (field: string, name: string, left: string | null, right: string | null) =>
    compare(field, `They give the ${name} as`, left, right)
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
