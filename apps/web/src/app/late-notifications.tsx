import { useNotifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lazyPart } from '../ui/lazy/lazy-part.tsx'
import { whenQuiet } from '../ui/lazy/when-quiet.ts'

const NotificationArea = lazyPart('notifications', () =>
  import('./notification-area.tsx').then((module) => module.NotificationArea),
)

/**
 * Loads the notification area after the first screen, so that it does not delay that screen. A notification causes the area to be loaded at once.
 * Until then the notification is kept in the store of notifications.
 */
export function LateNotifications({ isNavigating }: { isNavigating: () => boolean }) {
  const queryClient = useQueryClient()
  const [hasLoaded, setHasLoaded] = useState(false)
  const { notifications } = useNotifications()
  useEffect(() => {
    const isLoading = () => isNavigating() || queryClient.isFetching() > 0
    return whenQuiet(isLoading, () => {
      setHasLoaded(true)
      return true
    })
  }, [isNavigating, queryClient])
  return hasLoaded || notifications.length > 0 ? <NotificationArea /> : null
}
