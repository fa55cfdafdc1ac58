import { listJobEvents } from '@prospect/api-client'
import { useEffect, useEffectEvent, useState } from 'react'
import { dataOf } from '../api/data-of.ts'
import { isAnswering } from '../api/use-connection.ts'
import { type Followed, followJob, followLive } from './follow-job.ts'

const notFollowed: Followed = { events: [], forgotten: 0, state: 'connecting', error: null }

const readEvents = (jobId: string, after: number) => dataOf(listJobEvents({ path: { jobId }, query: { after } }))

/**
 * Follows the events of a job: by stream, and by polling while the stream is lost. Calls `onNews` for events other than progress, and once when no
 * more events will come, because a finished job may have another attempt by then. Follows nothing while `jobId` is null.
 */
export function useFollowedJob(jobId: string | null, onNews: () => void): Followed {
  const [followed, setFollowed] = useState(notFollowed)
  const notify = useEffectEvent(onNews)
  useEffect(() => {
    let known = 0
    setFollowed(notFollowed)
    if (jobId === null) return
    const read = (after: number) => readEvents(jobId, after)
    return followJob({
      read,
      openStream: followLive(jobId, { read }),
      isAnswering,
      onChange: (now) => {
        setFollowed(now)
        const fresh = now.events.filter(({ sequence }) => sequence > known)
        known = now.events.at(-1)?.sequence ?? 0
        if (fresh.some(({ type }) => type !== 'progress' && type !== 'checkpoint')) notify()
      },
    })
  }, [jobId])
  const isOver = followed.state === 'over'
  useEffect(() => {
    if (isOver) notify()
  }, [isOver])
  return followed
}
