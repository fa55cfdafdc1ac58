import type { Export } from '@prospect/api-client'
import { fields, isField, type WordContext } from '../../rooms/prospects/list/filter-fields.ts'
import { filterSentence } from '../../rooms/prospects/list/filter-words.ts'

type Asked = Pick<Export, 'filter' | 'erasedFields' | 'createdBy'>

/** Names the prospects of an export as its list did. The person who requested the export is added to the known people. */
export function exportSentence({ filter, erasedFields, createdBy }: Asked, context: WordContext): string {
  const people = createdBy.kind === 'user' ? [...context.people, createdBy] : context.people
  const erased = erasedFields.map(erasedWords)
  if (filter.length === 0 && erased.length > 0) return `Prospects ${erased.join(', ')}`
  return [filterSentence(filter, { ...context, people }), ...erased].join(', ')
}

/** Words for a condition whose value was erased, so that the sentence never names more prospects than the export has. */
function erasedWords(field: string): string {
  if (field === 'q') return 'containing erased words'
  return `with an erased ${isField(field) ? fields[field].name.toLowerCase() : 'value'}`
}
