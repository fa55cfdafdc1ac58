import type { Export, PersonRef } from '@prospect/api-client'
import { filterSentence } from '../../rooms/prospects/list/filter-words.ts'
import { filtersFrom } from '../../rooms/prospects/list/prospect-query.ts'
import { formatDateTime } from '../../ui/text/format.ts'

type Asked = Pick<Export, 'filter' | 'createdBy'>

/** Names the prospects of an export as its list did. `people` are the known assignees; the person who requested the export is added. */
export function exportSentence({ filter, createdBy }: Asked, people: readonly PersonRef[], timeZone: string): string {
  const { filters, after, before } = filtersFrom(filter, timeZone)
  const known = createdBy.kind === 'user' ? [...people, createdBy] : people
  const more = [
    ...(after === null ? [] : [`updated since ${formatDateTime(after, timeZone)}`]),
    ...(before === null ? [] : [`updated until ${formatDateTime(before, timeZone)}`]),
    ...(filter.q === null ? ['containing erased words'] : []),
    ...(filter.tag === null ? ['with an erased tag'] : []),
  ]
  const isAll = Object.keys(filters).length === 0
  if (isAll && more.length > 0) return `Prospects ${more.join(', ')}`
  return [filterSentence(filters, { people: known }), ...more].join(', ')
}
