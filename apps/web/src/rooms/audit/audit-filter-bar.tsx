import { Button, Select, TextInput } from '@mantine/core'
import { usePeopleOptions } from '../../ui/people.ts'
import classes from './audit-screen.module.css'
import { type AuditFilters, type AuditSearch, isFiltered } from './audit-search.ts'
import { actionName, knownActions, subjectName, subjectTypes } from './audit-words.ts'

type Props = { search: AuditSearch; set: (search: AuditSearch) => void }

export function AuditFilterBar({ search, set }: Props) {
  const people = usePeopleOptions()
  const { actor, action, subjectType, subjectId, from, to } = search
  const change = (key: keyof AuditFilters, value: string | null) => {
    const { [key]: _, event: __, ...rest } = search
    set(value === null || value === '' ? rest : { ...rest, [key]: value })
  }
  return (
    <search className={classes.filters}>
      <Select
        label="Who"
        placeholder="Anybody"
        size="xs"
        data={optionsWith(people, actor)}
        searchable
        clearable
        value={actor ?? null}
        onChange={(value) => change('actor', value)}
      />
      <Select
        label="What"
        placeholder="Anything"
        size="xs"
        data={optionsWith(
          knownActions.map((name) => ({ value: name, label: actionName(name) })),
          action,
        )}
        searchable
        clearable
        value={action ?? null}
        onChange={(value) => change('action', value)}
      />
      <Select
        label="Record"
        placeholder="Any kind"
        size="xs"
        data={optionsWith(
          subjectTypes.map((type) => ({ value: type, label: subjectName(type) })),
          subjectType,
        )}
        clearable
        value={subjectType ?? null}
        onChange={(value) => change('subjectType', value)}
      />
      <TextInput
        type="date"
        label="From"
        size="xs"
        value={from ?? ''}
        max={to}
        onChange={(event) => change('from', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Until"
        size="xs"
        value={to ?? ''}
        min={from}
        onChange={(event) => change('to', event.currentTarget.value)}
      />
      {subjectId !== undefined && (
        <Button variant="default" onClick={() => change('subjectId', null)}>
          One {subjectName(subjectType ?? 'record').toLowerCase()} only: show all
        </Button>
      )}
      {isFiltered(search) && (
        <Button variant="subtle" onClick={() => set({})}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

/** A value that came with the address stays shown, even when the menu does not know it. */
function optionsWith(options: { value: string; label: string }[], held: string | undefined) {
  if (held === undefined || options.some(({ value }) => value === held)) return options
  return [{ value: held, label: held }, ...options]
}
