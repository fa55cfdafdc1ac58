import type { Job } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isAnswering } from '../../ui/api/use-connection.ts'
import { type Followed, followJob, openEventSource } from './follow-job.ts'
import { jobKey, jobQuery, readEvents } from './jobs.queries.ts'

const nothing: Followed = { events: [], forgotten: 0, state: 'connecting', error: null }

/** The events of a job as they come; the job itself is read anew whenever one of them says more than how far it is. */
export function useFollowedJob(job: Pick<Job, 'id'>): Followed {
  const queryClient = useQueryClient()
  const [followed, setFollowed] = useState(nothing)
  const { id } = job
  useEffect(() => {
    let known = 0
    setFollowed(nothing)
    return followJob({
      read: (after) => readEvents(id, after),
      openStream: openEventSource(id),
      isAnswering,
      onChange: (now) => {
        setFollowed(now)
        const fresh = now.events.filter(({ sequence }) => sequence > known)
        known = now.events.at(-1)?.sequence ?? known
        if (fresh.some(({ type }) => type !== 'progress' && type !== 'checkpoint')) {
          void queryClient.invalidateQueries({ queryKey: jobKey(id) })
        }
      },
    })
  }, [id, queryClient])
  // A job that ends can have another attempt at once, made by its kind.
  const isOver = followed.state === 'over'
  useEffect(() => {
    if (isOver) void queryClient.fetchQuery({ ...jobQuery(id), staleTime: 0 }).catch(() => undefined)
  }, [isOver, id, queryClient])
  return followed
}
