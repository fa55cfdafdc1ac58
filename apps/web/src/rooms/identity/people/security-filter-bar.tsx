import { Button, Select, TextInput } from '@mantine/core'
import { accountDeeds } from '../../../ui/account-deeds.ts'
import { usePeopleOptions } from '../../../ui/people.ts'
import classes from './security-events.module.css'
import { isFiltered, type SecuritySearch } from './security-search.ts'

type Props = { search: SecuritySearch; set: (search: SecuritySearch) => void }

const actions = Object.entries(accountDeeds)
  .map(([value, { name }]) => ({ value, label: name }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

export function SecurityFilterBar({ search, set }: Props) {
  const people = usePeopleOptions()
  const { user, action, from, to } = search
  const change = (key: keyof SecuritySearch, value: string | null) => {
    const { [key]: _, ...rest } = search
    set(value === null || value === '' ? rest : { ...rest, [key]: value })
  }
  return (
    <search className={classes.filters}>
      <Select
        label="Whose account"
        placeholder="Anybody"
        size="xs"
        data={optionsWith(people, user)}
        searchable
        clearable
        value={user ?? null}
        onChange={(value) => change('user', value)}
      />
      <Select
        label="What"
        placeholder="Anything"
        size="xs"
        data={optionsWith(actions, action)}
        searchable
        clearable
        value={action ?? null}
        onChange={(value) => change('action', value)}
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
