import { Notifications } from '@mantine/notifications'
import { RefusalAnnouncer } from './refusal-announcer.tsx'

/** Where it is announced what became of something. */
export function Announcements() {
  return (
    <>
      <Notifications position="bottom-right" limit={3} transitionDuration={120} />
      <RefusalAnnouncer />
    </>
  )
}
