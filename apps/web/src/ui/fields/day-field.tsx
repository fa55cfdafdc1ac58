import { useEffect, useState } from 'react'
import { type Direction, dayFrom } from '../text/day.ts'
import { TypedTime } from './typed-time.tsx'

type Props = {
  label: string
  /** Side of today on which the days of this field are. */
  direction: Direction
  /** '2026-11-21', or undefined. */
  value: string | undefined
  /** First day of the interval, for the field of its last day. An earlier last day is shown as an error. */
  first?: string | undefined
  /** The field gets the focus when its popover opens. */
  isFocused?: boolean
  onChange: (day: string | undefined) => void
}

/** A day of a filter. While the user types, the filter changes only on a complete date, on Enter or on blur. */
export function DayField({ label, direction, value = '', first, isFocused = false, onChange }: Props) {
  const [text, setText] = useState(value)
  // Follow changes of the filter from outside: cleared, or set by a new address.
  useEffect(() => setText(value), [value])
  const isReversed = value !== '' && first !== undefined && value < first
  const apply = (next: string) => {
    if (next.trim() === '' && value !== '') onChange(undefined)
    else if (dayFrom(next) === next && next !== value) onChange(next)
  }
  return (
    <TypedTime
      {...(isFocused && { 'data-autofocus': true })}
      of="day"
      direction={direction}
      label={label}
      size="xs"
      value={text}
      error={isReversed ? 'The last day is before the first.' : undefined}
      onBlur={() => apply(text)}
      onKeyDown={(event) => event.key === 'Enter' && apply(text)}
      onChange={(next, typed) => {
        setText(next)
        if (typed === undefined || typed === next) apply(next)
      }}
    />
  )
}
