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
} & Pick<ComponentProps<typeof Select>, 'clearable' | 'description' | 'error' | 'size' | 'withAsterisk'>

type Option = { value: string; label: string }

/** Select for one prospect, searched by typed text. */
export function ProspectSelect({ label, chosen, choose, error, ...look }: Props) {
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed, 200)
  const found = useQuery(prospectSearchQuery(searched))
  const [picked, setPicked] = useState<Option | null>(null)
  // The address can change the chosen prospect, for example with Back. The label of a prospect that was not picked here is read from the server.
  const pickedLabel = picked !== null && picked.value === chosen ? picked.label : null
  const named = useQuery({ ...businessQuery(chosen ?? ''), enabled: chosen !== null && pickedLabel === null })
  const options: Option[] = (found.data ?? []).map(({ id, name, city, doNotContact }) => ({
    value: id,
    label: [nameText(name), nameText(city ?? ''), doNotContact === true ? 'Do not contact' : '']
      .filter(Boolean)
      .join(' · '),
  }))
  const shown =
    chosen === null || options.some(({ value }) => value === chosen)
      ? options
      : [{ value: chosen, label: pickedLabel ?? nameText(named.data?.name ?? '') }, ...options]
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
        setPicked(shown.find((option) => option.value === value) ?? null)
        choose(value)
      }}
      {...look}
    />
  )
}
