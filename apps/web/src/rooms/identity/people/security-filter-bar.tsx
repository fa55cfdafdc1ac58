import { useAuditActions } from '../../../ui/api/audit-actions.ts'
import { EventFilters, FilterSelect } from '../../../ui/lists/filters.tsx'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import { isFiltered, type SecuritySearch } from './security-search.ts'

type Props = { search: SecuritySearch; set: (search: SecuritySearch) => void; clear: () => void }

export function SecurityFilterBar({ search, set, clear }: Props) {
  const people = usePeopleOptions()
  const actions = useAuditActions()
    .filter(({ isSecurity }) => isSecurity)
    .map((one) => ({ value: one.action, label: one.label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  const { user, action } = search
  const change = (key: keyof SecuritySearch, value: string | undefined) => {
    const { [key]: _, ...rest } = search
    set(value === undefined ? rest : { ...rest, [key]: value })
  }
  return (
    <EventFilters days={search} onDay={change} isFiltered={isFiltered(search)} clear={clear}>
      <FilterSelect
        label="Account"
        placeholder="Anybody"
        options={people}
        value={user}
        onChange={(value) => change('user', value)}
      />
      <FilterSelect
        label="What"
        placeholder="Anything"
        options={actions}
        value={action}
        onChange={(value) => change('action', value)}
      />
    </EventFilters>
  )
}
