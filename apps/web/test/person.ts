import type { Person } from '@prospect/api-client'

/** A person at the prospect of `businessOf`, with a name and nothing else; `more` replaces single properties. */
export function personOf(more: Partial<Person> = {}): Person {
  return {
    id: 'p1',
    businessId: 'b1',
    version: 1,
    name: 'Thandi Nkosi',
    role: null,
    language: null,
    note: null,
    emails: [],
    phones: [],
    leftOn: null,
    doNotContact: null,
    alike: [],
    joinedIntoId: null,
    erasedAt: null,
    valuesHidden: false,
    createdAt: '2026-11-01T08:00:00.000Z',
    createdBy: { kind: 'user', id: 'user-2', name: 'Ben' },
    updatedAt: '2026-11-01T08:00:00.000Z',
    ...more,
  }
}
