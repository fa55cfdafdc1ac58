import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    reportId: string
  }
}

const question = { name: 'November', from: '2026-11-01', to: '2026-11-20' }

export const fixture: RoomFixture = {
  records: async ({ client, unique }) => {
    const ask = async () => idIn(await client.post('/reports', question, { 'idempotency-key': unique() }))
    const reportId = await ask()
    await ask()
    return { reportId }
  },
  cases: {
    listReports: { permission: 'reports.read' },
    createReport: {
      permission: 'reports.create',
      fills: { reports_of_day: {} },
      body: {
        ...question,
        timeZone: 'Africa/Johannesburg',
        asOf: '2026-11-21T00:00:00Z',
        filter: { tag: 'Farm', province: 'NC' },
      },
      refersTo: { 'filter.assigneeId': { names: 'userId', answers: 201 } },
    },
    getReport: { permission: 'reports.read' },
  },
}
