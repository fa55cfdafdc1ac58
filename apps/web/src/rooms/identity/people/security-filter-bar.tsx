import { useAuditActions } from '../../../ui/api/audit-actions.ts'
import { EventFilters, FilterSelect } from '../../../ui/lists/filters.tsx'
import type { ListSearch } from '../../../ui/lists/use-list-search.ts'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import type { SecuritySearch } from './security-search.ts'

export function SecurityFilterBar({ search, set, clear, isFiltered }: ListSearch<SecuritySearch>) {
  const people = usePeopleOptions()
  const actions = useAuditActions()
    .filter(({ isSecurity }) => isSecurity)
    .map((one) => ({ value: one.action, label: one.label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  const { user, action } = search
  return (
    <EventFilters days={search} onDay={(key, day) => set({ [key]: day })} isFiltered={isFiltered} clear={clear}>
      <FilterSelect
        label="Account"
        placeholder="Anybody"
        options={people}
        value={user}
        onChange={(user) => set({ user })}
      />
      <FilterSelect
        label="What"
        placeholder="Anything"
        options={actions}
        value={action}
        onChange={(action) => set({ action })}
      />
    </EventFilters>
  )
}
