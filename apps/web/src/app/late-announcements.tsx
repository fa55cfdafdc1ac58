import { useNotifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lazyPart } from '../ui/lazy/lazy-part.tsx'

const Announcements = lazyPart('announcements', () =>
  import('./announcements.tsx').then((module) => module.Announcements),
)

/** Interval of the checks whether the page is still loading. */
const CHECK_MS = 250
/** Time after which the announcers are loaded although the page is still loading, as with a request that hangs. */
const LATEST_MS = 5_000

/**
 * Loads the announcers after the first screen, so that they do not delay it. A notification loads them at once: its store keeps it until they are
 * there.
 */
export function LateAnnouncements({ isNavigating }: { isNavigating: () => boolean }) {
  const queryClient = useQueryClient()
  const [hasLoaded, setHasLoaded] = useState(false)
  const { notifications } = useNotifications()
  useEffect(() => {
    const startedAt = performance.now()
    const timer = setInterval(() => {
      const isLoading = isNavigating() || queryClient.isFetching() > 0
      if (isLoading && performance.now() - startedAt < LATEST_MS) return
      clearInterval(timer)
      setHasLoaded(true)
    }, CHECK_MS)
    return () => clearInterval(timer)
  }, [isNavigating, queryClient])
  return hasLoaded || notifications.length > 0 ? <Announcements /> : null
}
