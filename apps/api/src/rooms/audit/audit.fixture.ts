import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    auditEventId: string
  }
}

export const fixture: RoomFixture = {
  records: async ({ client }) => ({ auditEventId: idIn(await client.get('/audit-events?limit=1'), 'items.0.id') }),
  cases: {
    listAuditEvents: {
      permission: 'audit.read',
      filtersBy: { actor: 'userId', subjectId: 'businessId', businessId: 'businessId' },
    },
    listSecurityEvents: { permission: 'users.manage', filtersBy: { user: 'userId' } },
    listAuditHeads: { permission: 'audit.verify' },
    listAuditActions: { permission: null },
    verifyAuditChain: { permission: 'audit.verify' },
    getAuditInclusion: {
      permission: 'audit.read',
      path: ({ auditEventId }) => ({ id: auditEventId }),
      answers: 409,
    },
    getAuditEvent: { permission: 'audit.read', path: ({ auditEventId }) => ({ id: auditEventId }) },
  },
}
