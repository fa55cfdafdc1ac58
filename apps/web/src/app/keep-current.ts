import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answersOf } from '../ui/api/query-keys.ts'
import { refreshLists } from '../ui/prospects/record-keys.ts'

/** A mark of do not contact that a colleague sets is seen by then. */
const LOOK_EVERY_MS = 30_000
/** Nobody is there who has touched nothing for so long: asking for them would keep their session from ending. */
const AWAY_AFTER_MS = 5 * 60_000

const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

/**
 * Reads again what is on screen of prospects, also of a page that stays in view, as long as somebody is there; and at once when they are
 * back. Nothing is read while any change is under way, which shows what becomes of it by itself.
 */
export function useKeepCurrent(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let touchedAt = performance.now()
    let readAt = performance.now()
    const look = () => {
      if (document.visibilityState === 'hidden' || queryClient.isMutating() > 0) return
      readAt = performance.now()
      void readAgain(queryClient)
    }
    const timer = setInterval(() => {
      if (performance.now() - touchedAt < AWAY_AFTER_MS) look()
    }, LOOK_EVERY_MS)
    const touch = () => {
      touchedAt = performance.now()
      if (touchedAt - readAt > 2 * LOOK_EVERY_MS) look()
    }
    for (const sign of signs) document.addEventListener(sign, touch, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of signs) document.removeEventListener(sign, touch, { capture: true })
    }
  }, [queryClient])
}

const isOrigin = (key: unknown) => typeof key === 'object' && key !== null && 'isOrigin' in key

/** Lists, boards and counts, and each open record with what is read of it. A read that is under way is new enough. */
async function readAgain(queryClient: QueryClient): Promise<void> {
  const open = queryClient
    .getQueryCache()
    .findAll({ type: 'active', queryKey: answersOf('getBusiness') })
    .filter(({ queryKey: [key] }) => !isOrigin(key))
  const options = { cancelRefetch: false }
  await Promise.all([
    refreshLists(queryClient, options),
    ...open.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey }, options)),
  ])
}
