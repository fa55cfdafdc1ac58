import { useNotifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lazyPart } from '../ui/lazy/lazy-part.tsx'

const NotificationArea = lazyPart('notifications', () =>
  import('./notification-area.tsx').then((module) => module.NotificationArea),
)

/** Interval of the checks whether the page is still loading. */
const CHECK_MS = 250
/** Time after which the notification area is loaded although the page is still loading, as with a request that hangs. */
const LATEST_MS = 5_000

/**
 * Loads the notification area after the first screen, so that it does not delay that screen. A notification loads the area at once: the store of
 * notifications keeps each until it is shown.
 */
export function LateNotifications({ isNavigating }: { isNavigating: () => boolean }) {
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
  return hasLoaded || notifications.length > 0 ? <NotificationArea /> : null
}
