import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { sentenceOf } from '../api/api-problem.ts'
import { Select } from '../fields/select.tsx'
import { inputLimits } from '../forms/input-limits.ts'
import { nameText } from '../text/name-text.ts'
import { prospectSearchQuery } from './prospect-search-queries.ts'
import { businessQuery } from './record-queries.ts'

type Props = {
  label: string
  chosen: string | null
  choose: (businessId: string | null) => void
} & Pick<ComponentProps<typeof Select>, 'clearable' | 'error' | 'size' | 'withAsterisk'>

/** Select for one prospect, searched by typed text. */
export function ProspectSelect({ label, chosen, choose, error, ...look }: Props) {
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed, 200)
  const found = useQuery(prospectSearchQuery(searched))
  const [chosenLabel, setChosenLabel] = useState('')
  // A prospect that the address names was not chosen here.
  const named = useQuery({ ...businessQuery(chosen ?? ''), enabled: chosen !== null && chosenLabel === '' })
  const options = (found.data ?? []).map(({ id, name, city, doNotContact }) => ({
    value: id,
    label: [nameText(name), nameText(city ?? ''), doNotContact === true ? 'Do not contact' : '']
      .filter(Boolean)
      .join(' · '),
  }))
  const shown =
    chosen === null || options.some(({ value }) => value === chosen)
      ? options
      : [{ value: chosen, label: chosenLabel || nameText(named.data?.name ?? '') }, ...options]
  return (
    <Select
      label={label}
      placeholder="Find by name, phone, email or domain"
      searchable
      maxLength={inputLimits.search}
      data={shown}
      filter={({ options: all }) => all}
      nothingFoundMessage={typed.trim() === '' ? 'Type to search' : 'No prospect matches'}
      error={found.isError ? sentenceOf(found.error) : error}
      value={chosen}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(value) => {
        setChosenLabel(shown.find((option) => option.value === value)?.label ?? '')
        choose(value)
      }}
      {...look}
    />
  )
}
