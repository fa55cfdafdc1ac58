import { client, type StreamJobEventsData } from '@prospect/api-client'

/** The address of the event stream of a job, for an EventSource: events after this sequence number. */
export const eventStreamUrl = (jobId: string, after: number): string =>
  client.buildUrl<StreamJobEventsData>({
    url: '/api/v1/jobs/{jobId}/events/stream',
    path: { jobId },
    query: { after },
  })
