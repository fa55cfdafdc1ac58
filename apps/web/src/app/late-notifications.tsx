import { useNotifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lazyPart } from '../ui/lazy/lazy-part.tsx'

const NotificationArea = lazyPart('notifications', () =>
  import('./notification-area.tsx').then((module) => module.NotificationArea),
)

/** Interval at which the page is checked for running requests. */
const CHECK_MS = 250
/** Time after which the notification area is loaded even if the page is still loading, for example because a request hangs. */
const LATEST_MS = 5_000

/**
 * Loads the notification area after the first screen, so that it does not delay that screen. A notification causes the area to be loaded at once.
 * Until then the notification is kept in the store of notifications.
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
