import type { RecordLimit } from '../../lib/limit-reached.ts'

/** People of a prospect, those of records merged into it included. People are never deleted. */
export const peopleLimit: RecordLimit = {
  name: 'people_of_prospect',
  of: 'record',
  record: 'prospect',
  label: 'people',
  remedy: 'People cannot be deleted. Edit one who left, or write further names in a note.',
  max: 100,
}
