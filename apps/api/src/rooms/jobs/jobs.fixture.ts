import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** a queued job */
    jobId: string
    /** a cancelled job */
    endedJobId: string
  }
}

const demonstration = { input: { steps: 1 }, kind: 'demonstration' }
/** Expected status for a person who may not create jobs of this kind: such a person does not find the job. */
const ofItsKind = { needsAlso: 'jobs.create' } as const

export const fixture: RoomFixture = {
  records: async ({ client, unique }) => {
    // Creates the demonstration if the service offers it. A service in production does not.
    const kinds = JSON.stringify((await client.get('/job-kinds')).body)
    const job = kinds.includes('"demonstration"') ? demonstration : { kind: 'audit-verification', input: {} }
    const create = async () => idIn(await client.post('/jobs', job, { 'idempotency-key': unique() }))
    const endedJobId = await create()
    await client.post(`/jobs/${endedJobId}/cancellation`, {})
    return { jobId: await create(), endedJobId }
  },
  cases: {
    listJobKinds: { permission: 'jobs.read' },
    listJobs: { permission: 'jobs.read' },
    createJob: { permission: 'jobs.create', body: demonstration, createsJob: true, fills: { queued_jobs: {} } },
    getJob: { ...ofItsKind, permission: 'jobs.read' },
    cancelJob: { permission: 'jobs.cancel', body: {} },
    retryJob: {
      permission: 'jobs.retry',
      path: ({ endedJobId }) => ({ jobId: endedJobId }),
      body: {},
      answersAgain: 422,
    },
    listJobEvents: { ...ofItsKind, permission: 'jobs.read' },
    streamJobEvents: {
      permission: 'jobs.read',
      ...ofItsKind,
      path: ({ endedJobId }) => ({ jobId: endedJobId }),
      isStream: true,
    },
  },
}
