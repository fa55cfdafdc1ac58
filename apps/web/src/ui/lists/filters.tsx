import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { DayField } from '../fields/day-field.tsx'
import { Select } from '../fields/select.tsx'
import classes from './filters.module.css'

type FilterOption = { value: string; label: string }

type FilterSelectProps = {
  label: string
  placeholder: string
  options: FilterOption[] | { group: string; items: FilterOption[] }[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** Filter with a list of options. A value from the address is shown even if the options do not contain it. */
export function FilterSelect({ label, placeholder, options, value, onChange }: FilterSelectProps) {
  const listed = options.flatMap((option) => ('items' in option ? option.items : [option]))
  const isKnown = value === undefined || listed.some((option) => option.value === value)
  return (
    <Select
      label={label}
      placeholder={placeholder}
      size="xs"
      data={isKnown ? options : [{ value, label: value }, ...listed]}
      searchable
      clearable
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

type FilterBarProps = { isFiltered: boolean; clear: () => void; children: ReactNode }

/** Filters above a list, with a button that clears them. */
export function FilterBar({ isFiltered, clear, children }: FilterBarProps) {
  return (
    <search className={classes.filters}>
      {children}
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

type EventFiltersProps = FilterBarProps & {
  days: { from?: string; to?: string }
  onDay: (key: 'from' | 'to', day: string | undefined) => void
  /** Content after the days. */
  aside?: ReactNode
}

/** Filters above a list of events: `children`, then the first and the last day. */
export function EventFilters({ days: { from, to }, onDay, children, aside, ...bar }: EventFiltersProps) {
  return (
    <FilterBar {...bar}>
      {children}
      <DayField direction="past" label="From" value={from} onChange={(day) => onDay('from', day)} />
      <DayField direction="past" label="Until" value={to} first={from} onChange={(day) => onDay('to', day)} />
      {aside}
    </FilterBar>
  )
}
