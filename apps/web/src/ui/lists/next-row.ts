import { useLayoutEffect, useRef } from 'react'

/** `ended`: the record is known to be the last of the list. `unknown`: the list may have a next record, which is not loaded. */
export type NextRow = 'opened' | 'ended' | 'unknown'

/** Opens the next record of the list. */
type OpenNext = () => NextRow

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
    const step: OpenNext = () => latest.current?.() ?? 'unknown'
    current = step
    return () => {
      if (current === step) current = null
    }
  }, [isBeside])
}

/** True if the open record came from a list that is still shown beside it. */
export const hasList = (): boolean => current !== null

/** Opens the record that `j` would open. */
export const openNextRow = (): NextRow => current?.() ?? 'unknown'
