import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answersOf } from '../ui/api/query-keys.ts'
import { refreshLists } from '../ui/prospects/record-keys.ts'

/** Interval of the refresh. It limits how long a colleague's do-not-contact mark can be missing on screen. */
const LOOK_EVERY_MS = 30_000
/** Without user input for this long, refreshing stops: otherwise it would keep the session of an absent user alive. */
const AWAY_AFTER_MS = 5 * 60_000

const inputEvents = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

/**
 * Refreshes the prospects on screen regularly while the user is active, and immediately when the user returns. Skipped while a mutation is pending,
 * because the mutation updates the data itself.
 */
export function useKeepCurrent(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let touchedAt = performance.now()
    let readAt = performance.now()
    const refresh = () => {
      if (document.visibilityState === 'hidden' || queryClient.isMutating() > 0) return
      readAt = performance.now()
      void refreshAll(queryClient)
    }
    const timer = setInterval(() => {
      if (performance.now() - touchedAt < AWAY_AFTER_MS) refresh()
    }, LOOK_EVERY_MS)
    const onInput = () => {
      touchedAt = performance.now()
      if (touchedAt - readAt > 2 * LOOK_EVERY_MS) refresh()
    }
    for (const sign of inputEvents) document.addEventListener(sign, onInput, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of inputEvents) document.removeEventListener(sign, onInput, { capture: true })
    }
  }, [queryClient])
}

const isOrigin = (key: unknown) => typeof key === 'object' && key !== null && 'isOrigin' in key

/** Refreshes lists, boards and counts, and each open record with its data. A pending request is not repeated. */
async function refreshAll(queryClient: QueryClient): Promise<void> {
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
