import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A link back to a list, from what was opened in it: the list stands where it stood. */
    isReturn?: boolean
  }
}

type Place = {
  offset: number
  activeId: string | null
  selected: Record<string, true>
  /** All rows that match are selected, but for these. */
  allBut: Record<string, true> | null
}

/** Where a person stood in a list, by the entry of the history they stood at: Back finds it again, a fresh visit starts at the top. */
const places = new Map<string, Place>()
/** And where they stood last in each list, for a link that leads back to it. */
const lastPlaces = new Map<string, Place>()

const start: Place = { offset: 0, activeId: null, selected: {}, allBut: null }

/** `list` names what is listed: under other filters it is another list. */
export function useListMemory(list: string): { initial: Place; remember: (place: Partial<Place>) => void } {
  const { state, href } = useLocation()
  const key = state.__TSR_key ?? href
  const current = useRef<{ key: string; list: string; place: Place } | null>(null)
  current.current ??= {
    key,
    list,
    place: places.get(key) ?? (state.isReturn === true ? lastPlaces.get(list) : undefined) ?? start,
  }
  const initial = useRef(current.current.place)

  const keep = useCallback((now: { key: string; list: string; place: Place }) => {
    current.current = now
    places.set(now.key, now.place)
    lastPlaces.set(now.list, now.place)
  }, [])

  useEffect(() => {
    // The list stays on screen while a record is opened beside it: it stands there as it stood here.
    keep({ key, list, place: current.current?.place ?? start })
  }, [key, list, keep])

  const remember = useCallback(
    (place: Partial<Place>) => {
      const now = current.current
      if (now !== null) keep({ ...now, place: { ...now.place, ...place } })
    },
    [keep],
  )
  return { initial: initial.current, remember }
}
