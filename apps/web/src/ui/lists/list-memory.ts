import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set on links back to a list: the list restores its last scroll position and selection. */
    isReturn?: boolean
  }
}

type Place = {
  offset: number
  activeId: string | null
  selected: Record<string, true>
  /** If not null, all matching rows are selected except these. */
  allBut: Record<string, true> | null
}

/** Position and selection of a list by history entry. Back restores them; a new visit starts at the top. */
const places = new Map<string, Place>()
/** Last position in each list, for links that lead back to it. */
const lastPlaces = new Map<string, Place>()

const start: Place = { offset: 0, activeId: null, selected: {}, allBut: null }

/** `list` identifies the list including its filters. */
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
    // While a record is open beside the list, the list stays on screen: store the same position for the new history entry.
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
