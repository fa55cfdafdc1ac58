import { client, type StreamJobEventsData } from '@prospect/api-client'

/** Address of a job's event stream for an EventSource, starting after the event with sequence number `after`. */
export const eventStreamUrl = (jobId: string, after: number): string =>
  client.buildUrl<StreamJobEventsData>({
    url: '/api/v1/jobs/{jobId}/events/stream',
    path: { jobId },
    query: { after },
  })
