import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { DayField } from '../fields/day-field.tsx'
import { Select } from '../fields/select.tsx'
import classes from './event-list.module.css'

type FilterSelectProps = {
  label: string
  placeholder: string
  options: { value: string; label: string }[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** One filter that is chosen from a list. A value that came with the address stays shown, even when the list does not know it. */
export function FilterSelect({ label, placeholder, options, value, onChange }: FilterSelectProps) {
  const isKnown = value === undefined || options.some((option) => option.value === value)
  return (
    <Select
      label={label}
      placeholder={placeholder}
      size="xs"
      data={isKnown ? options : [{ value, label: value }, ...options]}
      searchable
      clearable
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

type EventFiltersProps = {
  days: { from?: string; to?: string }
  onDay: (key: 'from' | 'to', day: string | undefined) => void
  isFiltered: boolean
  clear: () => void
  /** The filters before the days. */
  children: ReactNode
  /** What stands after the days. */
  aside?: ReactNode
}

/** The filters above a list of events. */
export function EventFilters({ days: { from, to }, onDay, isFiltered, clear, children, aside }: EventFiltersProps) {
  return (
    <search className={classes.filters}>
      {children}
      <DayField label="From" value={from} onChange={(day) => onDay('from', day)} />
      <DayField label="Until" value={to} first={from} onChange={(day) => onDay('to', day)} />
      {aside}
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
