import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { eventStreamUrl } from '../../ui/api/event-stream-url.ts'
import { exportsKey } from './exports.queries.ts'

type JobEvent = { type: string; data: { done?: unknown } }

/**
 * How many prospects the job of an export has gone through, by its event stream; when anything else happens to it the export is read
 * anew. A stream that breaks is no matter: the export is asked for from time to time as well.
 */
export function useExportProgress(jobId: string, isGoing: boolean): number | null {
  const queryClient = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  useEffect(() => {
    if (!isGoing) return
    const source = new EventSource(eventStreamUrl(jobId, 0))
    source.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const event: JobEvent = JSON.parse(data)
      if (event.type === 'progress' && typeof event.data.done === 'number') setDone(event.data.done)
      else void queryClient.invalidateQueries({ queryKey: exportsKey })
    })
    source.addEventListener('error', () => source.close())
    return () => source.close()
  }, [jobId, isGoing, queryClient])
  return done
}
