import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

type Place = { offset: number; activeId: string | null }

/** Where a person stood in a list, by the entry of the history they stood at: Back finds it again, a fresh visit starts at the top. */
const places = new Map<string, Place>()

const start: Place = { offset: 0, activeId: null }

export function useListMemory(): { initial: Place; remember: (place: Partial<Place>) => void } {
  const { state, href } = useLocation()
  const key = state.__TSR_key ?? href
  const current = useRef<{ key: string; place: Place }>({ key, place: places.get(key) ?? start })
  const initial = useRef(current.current.place)

  useEffect(() => {
    // The list stays on screen while a record is opened beside it: it stands there as it stood here.
    current.current = { key, place: current.current.place }
    places.set(key, current.current.place)
  }, [key])

  const remember = useCallback((place: Partial<Place>) => {
    current.current = { ...current.current, place: { ...current.current.place, ...place } }
    places.set(current.current.key, current.current.place)
  }, [])
  return { initial: initial.current, remember }
}
