import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    exportId: string
  }
}

const prospects = { format: 'csv', source: 'prospects' }

export const fixture: RoomFixture = {
  records: async ({ client, unique }) => {
    const ask = async () => idIn(await client.post('/exports', prospects, { 'idempotency-key': unique() }))
    const exportId = await ask()
    await ask()
    return { exportId }
  },
  cases: {
    listExports: { permission: 'exports.read' },
    createExport: {
      permission: 'exports.create',
      body: {
        ...prospects,
        suppressed: 'mark',
        filter: {
          q: 'Karoo',
          tag: 'Farm',
          state: 'new',
          province: 'NC',
          doNotContact: false,
          hasEvidence: true,
          updatedFrom: '2026-11-01T00:00:00Z',
          updatedTo: '2026-11-21T00:00:00Z',
          priority: 'A',
          reachable: 'A',
          eligibility: 'eligible',
          scoreFrom: 10,
          scoreTo: 90,
          review: 'due',
          updatedWithinDays: 30,
        },
      },
      refersTo: {
        reportId: { names: 'reportId', answers: 404, beside: { source: 'report', format: 'csv' } },
        'filter.assignee': { names: 'userId', answers: 201 },
      },
    },
    getExport: { permission: 'exports.read' },
    getExportContent: { permission: 'exports.read', answers: 409 },
  },
}
