import { Notifications } from '@mantine/notifications'

/** Area in the corner of the page that shows notifications. */
export function NotificationArea() {
  return <Notifications position="bottom-right" limit={3} transitionDuration={120} />
}
