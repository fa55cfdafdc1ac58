import { Button } from '@mantine/core'
import { useAuditActions, useAuditSubjects } from '../../ui/api/audit-actions.ts'
import { EventFilters, FilterSelect } from '../../ui/lists/filters.tsx'
import type { ListSearch } from '../../ui/lists/use-list-search.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { ProspectSelect } from '../../ui/prospects/prospect-select.tsx'
import { plainFacts } from '../../ui/text/facts.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { type AuditFilters, type AuditSearch, isFiltered } from './audit-search.ts'
import { inSentence } from './audit-words.ts'
import { useSubjectLabel } from './use-subject-label.ts'

type Props = Pick<ListSearch<AuditSearch>, 'search' | 'set' | 'clear'>

/** Fields among the values of events about a prospect, with their labels. */
const changedFields = [
  ...[...plainFacts, 'emails', 'phones', 'domains', 'address', 'tags', 'assigneeId'],
  ...['pipelineState', 'doNotContact', 'status'],
].map((value) => ({ value, label: fieldName(value) }))

export function AuditFilterBar({ search, set, clear }: Props) {
  const people = usePeopleOptions()
  const subjectLabel = useSubjectLabel()
  const actions = Map.groupBy(useAuditActions(), ({ action }) => subjectLabel(action.split('.', 1).join()))
  const subjects = useAuditSubjects()
    .map(({ type: value, label }) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  const { actor, action, subjectType, subjectId, businessId, field } = search
  const change = (key: keyof AuditFilters, value: string | undefined) => set({ [key]: value, event: undefined })
  const oneRecord = subjectId !== undefined && (
    <Button variant="default" onClick={() => change('subjectId', undefined)}>
      Only one {inSentence(subjectLabel(subjectType ?? 'record'))} is shown. Show all
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
        options={[...actions]
          .map(([group, items]) => ({ group, items: items.map(({ action: value, label }) => ({ value, label })) }))
          .toSorted((a, b) => a.group.localeCompare(b.group))}
        value={action}
        onChange={(value) => change('action', value)}
      />
      <ProspectSelect
        label="Prospect"
        size="xs"
        clearable
        chosen={businessId ?? null}
        choose={(id) => set({ businessId: id ?? undefined, field: undefined, event: undefined })}
      />
      {businessId !== undefined && (
        <FilterSelect
          label="Field"
          placeholder="Any"
          options={changedFields}
          value={field}
          onChange={(value) => change('field', value)}
        />
      )}
      <FilterSelect
        label="Kind of record"
        placeholder="All kinds"
        options={subjects}
        value={subjectType}
        onChange={(value) => change('subjectType', value)}
      />
    </EventFilters>
  )
}
