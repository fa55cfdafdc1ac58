import type { Business } from '@prospect/api-client'

/** An active prospect with a name and nothing else; `more` replaces single properties. */
export function businessOf(more: Partial<Business> = {}): Business {
  return {
    id: 'b1',
    version: 1,
    createdAt: '2026-11-01T08:00:00.000Z',
    updatedAt: '2026-11-01T08:00:00.000Z',
    createdBy: { kind: 'user', id: 'user-2', name: 'Ben' },
    name: 'Karoo Solar',
    isNameKnown: true,
    tradingName: null,
    registrationNumber: null,
    industry: null,
    employees: null,
    emails: [],
    phones: [],
    domains: [],
    address: noAddress,
    provinceCode: null,
    placeDoubts: [],
    tags: [],
    assignee: null,
    status: 'active',
    mergedInto: null,
    deactivatedAt: null,
    pipelineState: 'new',
    stateBeforePause: null,
    doNotContact: null,
    lastInteractionAt: null,
    callCountry: null,
    followUpOn: null,
    erasedAt: null,
    valuesHidden: false,
    normalizationVersion: '1',
    ...more,
  }
}

export const noAddress: Business['address'] = {
  street: null,
  suburb: null,
  city: null,
  province: null,
  postalCode: null,
  country: null,
}
