import { Notifications } from '@mantine/notifications'
import { RefusalAnnouncer } from './refusal-announcer.tsx'

/** Live regions of the app: notifications and errors of fields. */
export function Announcements() {
  return (
    <>
      <Notifications position="bottom-right" limit={3} transitionDuration={120} />
      <RefusalAnnouncer />
    </>
  )
}
