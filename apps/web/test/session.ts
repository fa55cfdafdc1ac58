import type { Session } from '@prospect/api-client'

/** Session of a manager without permissions; `more` replaces single properties. */
export function sessionOf(more: Partial<Session> = {}): Session {
  return {
    user: { id: 'user-1', email: 'ann@example.com', name: 'Ann Mokoena' },
    tenant: { id: 'tenant-1', name: 'Karoo Trading', timeZone: 'Africa/Johannesburg', country: 'ZA', locale: 'en-ZA' },
    tenants: [{ id: 'tenant-1', name: 'Karoo Trading', role: 'manager' }],
    role: 'manager',
    permissions: [],
    csrfToken: 'token-1',
    sessionId: 'session-1',
    assurance: 'password',
    hold: null,
    mustChangePassword: false,
    secondFactor: { enrolled: false, required: false, methods: [], verifiedAt: null },
    stepUp: { method: 'password', freshUntil: null },
    idleExpiresAt: '2026-12-01T10:00:00.000Z',
    expiresAt: '2026-12-07T10:00:00.000Z',
    ...more,
  }
}
