import type { Source, SourceOpenItem } from '@prospect/api-client'

const desks = ['product', 'legal', 'security'] as const

const missingOf = (desk: (typeof desks)[number]): SourceOpenItem => ({
  item: `approval.${desk}`,
  problem: 'missing',
  responsible: desk,
  since: null,
  detail: null,
})

/** A source whose contract is complete and that waits for the approval of all three desks; `changes` replaces single properties. */
export function sourceOf(changes: Partial<Source> = {}): Source {
  return {
    id: 's1',
    version: 1,
    slug: 'name-servers',
    name: 'Name servers',
    description: null,
    kind: 'adapter',
    adapter: { id: 'dns', version: '1.0.0', isLoaded: true },
    contractVersion: 1,
    fingerprint: 'fingerprint-1',
    contract: {
      terms: { ownerId: 'user-2', reference: 'Agreement 2026/11', reviewDueOn: '2027-06-01' },
      purposes: ['dns'],
      scope: { fields: ['status', 'records', 'ttl', 'aliases'], provinces: [], maxRecords: 2 },
      rate: { perMinute: 30, perDay: 1_000 },
      concurrency: 2,
      timeoutMs: 10_000,
      maxBytes: 262_144,
      retry: { maxAttempts: 2 },
      rawRetention: 'days_180',
      health: { failureRatio: 0.1, latencyMs: 2_000 },
      circuit: { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 4_000, closeAfterSuccesses: 2 },
      settings: { resolvers: ['office'], forbiddenNames: [] },
    },
    author: { kind: 'user', id: 'user-2', name: 'Ben Dube' },
    status: 'awaiting_approval',
    openItems: desks.map((desk) => missingOf(desk)),
    approvals: [],
    enablementId: null,
    enabledUntil: null,
    circuit: { state: 'closed', openingId: null, since: null, cause: null, successes: 0, successesNeeded: 2 },
    waitsForMe: false,
    createdAt: '2026-11-20T08:00:00.000Z',
    createdBy: { kind: 'user', id: 'user-2', name: 'Ben Dube' },
    updatedAt: '2026-11-20T08:00:00.000Z',
    ...changes,
  }
}
