import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    auditEventId: string
  }
}

export const fixture: RoomFixture = {
  records: async ({ client }) => ({ auditEventId: idIn(await client.get('/audit-events?limit=1'), 'items.0.id') }),
  cases: {
    listAuditEvents: { filtersBy: { actor: 'userId', subjectId: 'businessId' } },
    listSecurityEvents: { filtersBy: { user: 'userId' } },
    listAuditActions: {},
    verifyAuditChain: {},
    getAuditEvent: { path: ({ auditEventId }) => ({ id: auditEventId }) },
  },
}
