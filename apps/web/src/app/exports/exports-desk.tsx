import type { Export } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { filterSentence } from '../../rooms/businesses/list/filter-words.ts'
import { filtersFrom } from '../../rooms/businesses/list/prospect-query.ts'
import { ExportsScreen } from '../../rooms/exports/exports-screen.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { assigneesQuery } from '../../ui/people.ts'
import { useSession } from '../../ui/session.ts'

/** The exports, each in the words of the list that it was asked from. */
export function ExportsDesk() {
  const { user, tenant } = useSession()
  const { data = [] } = useQuery(assigneesQuery)
  const sentenceOf = ({ filter, createdBy }: Export): string => {
    const { filters, after, before } = filtersFrom(filter, tenant.timeZone)
    // Whoever asked for "mine" is named to everybody else.
    const asker = createdBy.kind === 'user' && createdBy.id !== user.id ? createdBy : null
    const mine = filters.assignee === 'me' && asker !== null ? { assignee: asker.id } : {}
    const people = asker === null ? data : [...data, { id: asker.id, name: asker.name }]
    return [
      filterSentence({ ...filters, ...mine }, { people }),
      ...(after === null ? [] : [`updated since ${formatDateTime(after, tenant.timeZone)}`]),
      ...(before === null ? [] : [`updated until ${formatDateTime(before, tenant.timeZone)}`]),
      ...(filter.q === null ? ['containing words that were erased with a record'] : []),
    ].join(', ')
  }
  return <ExportsScreen sentenceOf={sentenceOf} />
}
