import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { dayFrom, notADay } from '../text/day.ts'

type Props = {
  label: string
  /** 2026-11-21, or nothing. */
  value: string | undefined
  /** Of the last day of several: the first, before which it cannot be. */
  first?: string | undefined
  onChange: (day: string | undefined) => void
}

/**
 * A day, written and read as 2026-11-21: a date input of the browser follows its own language, so that one person would read
 * 3 April where another reads 4 March. What is no day yet is kept in the field and said after the person has left it.
 */
export function DayField({ label, value = '', first, onChange }: Props) {
  const [typed, setTyped] = useState(value)
  const [isLeft, setLeft] = useState(false)
  // The filter changed elsewhere: cleared, or by another address.
  useEffect(() => setTyped(value), [value])
  const day = dayFrom(typed)
  const isWrong = typed.trim() !== '' && day === null
  const isReversed = value !== '' && first !== undefined && value < first
  const settle = () => {
    setLeft(true)
    if (day === null) return
    setTyped(day)
    if (day !== value) onChange(day)
  }
  return (
    <TextInput
      label={label}
      size="xs"
      placeholder="yyyy-mm-dd"
      inputMode="numeric"
      autoComplete="off"
      maxLength={12}
      value={typed}
      error={isLeft && isWrong ? notADay(typed) : isReversed && 'The last day is before the first.'}
      onFocus={() => setLeft(false)}
      onBlur={settle}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && settle()}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        if (next.trim() === '' && value !== '') onChange(undefined)
        // Whole as it is asked for: no need to leave the field.
        else if (next.length === 10 && dayFrom(next) === next && next !== value) onChange(next)
      }}
    />
  )
}
