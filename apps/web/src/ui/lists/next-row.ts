import { useLayoutEffect, useRef } from 'react'

/** Opens the next record of the list and returns true; returns false at the end of the list. */
type OpenNext = () => boolean

let current: OpenNext | null = null

/** Registers the step that `j` makes while a record is open beside the list. Null: no record is open beside it. */
export function useNextRow(openNext: OpenNext | null): void {
  const latest = useRef(openNext)
  useLayoutEffect(() => {
    latest.current = openNext
  })
  const isBeside = openNext !== null
  useLayoutEffect(() => {
    if (!isBeside) return
    const step: OpenNext = () => latest.current?.() === true
    current = step
    return () => {
      if (current === step) current = null
    }
  }, [isBeside])
}

/** True if the open record came from a list that is still shown beside it. */
export const hasList = (): boolean => current !== null

/** Opens the record that `j` would open. Returns false without a list, and at its end. */
export const openNextRow = (): boolean => current?.() === true
