import { Button } from '@mantine/core'
import { useAuditActions, useAuditSubjects } from '../../ui/api/audit-actions.ts'
import { EventFilters, FilterSelect } from '../../ui/lists/filters.tsx'
import type { ListSearch } from '../../ui/lists/use-list-search.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { type AuditFilters, type AuditSearch, isFiltered } from './audit-search.ts'
import { inSentence } from './audit-words.ts'
import { useSubjectLabel } from './use-subject-label.ts'

type Props = Pick<ListSearch<AuditSearch>, 'search' | 'set' | 'clear'>

export function AuditFilterBar({ search, set, clear }: Props) {
  const people = usePeopleOptions()
  const actions = useAuditActions().map(({ action: value, label }) => ({ value, label }))
  const subjects = useAuditSubjects()
    .map(({ type: value, label }) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  const subjectLabel = useSubjectLabel()
  const { actor, action, subjectType, subjectId } = search
  const change = (key: keyof AuditFilters, value: string | undefined) => set({ [key]: value, event: undefined })
  const oneRecord = subjectId !== undefined && (
    <Button variant="default" onClick={() => change('subjectId', undefined)}>
      One {inSentence(subjectLabel(subjectType ?? 'record'))} only: show all
    </Button>
  )
  return (
    <EventFilters days={search} onDay={change} isFiltered={isFiltered(search)} clear={clear} aside={oneRecord}>
      <FilterSelect
        label="Who"
        placeholder="Anybody"
        options={people}
        value={actor}
        onChange={(value) => change('actor', value)}
      />
      <FilterSelect
        label="What"
        placeholder="Anything"
        options={actions}
        value={action}
        onChange={(value) => change('action', value)}
      />
      <FilterSelect
        label="Record"
        placeholder="All kinds"
        options={subjects}
        value={subjectType}
        onChange={(value) => change('subjectType', value)}
      />
    </EventFilters>
  )
}
