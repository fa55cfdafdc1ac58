import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    exportId: string
  }
}

const prospects = { format: 'csv', source: 'prospects' }
const audit = { format: 'csv', source: 'audit', auditFilter: {} }

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
      fills: { exports_of_day: {} },
      body: {
        ...prospects,
        spreadsheet: { separator: 'semicolon', decimal: 'comma' },
        suppressed: 'mark',
        filter: [
          { field: 'q', op: 'contains', values: ['Karoo'] },
          { field: 'tag', op: 'any_of', values: ['Farm'] },
          { field: 'status', op: 'any_of', values: ['inactive'] },
          { field: 'updatedAt', op: 'within_days', values: [30] },
        ],
      },
      otherBodies: [
        {
          ...audit,
          auditFilter: {
            action: 'business.edit',
            subjectType: 'business',
            field: 'name',
            from: '2026-11-01T00:00:00Z',
            to: '2026-11-20T00:00:00Z',
          },
        },
      ],
      refersTo: {
        reportId: { names: 'reportId', answers: 404, beside: { source: 'report', format: 'csv' } },
        'auditFilter.actor': { names: 'userId', answers: 201, beside: audit },
        'auditFilter.subjectId': { names: 'businessId', answers: 201, beside: audit },
        'auditFilter.businessId': { names: 'businessId', answers: 201, beside: audit },
      },
    },
    getExport: { permission: 'exports.read' },
    getExportContent: { permission: 'exports.read', answers: 409 },
  },
}
