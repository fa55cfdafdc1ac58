import type { SourceAdapter } from '@prospect/api-client'

/** The adapter for name servers, as the API lists it. */
export const dnsAdapter: SourceAdapter = {
  id: 'dns',
  version: '1.0.0',
  purposes: ['dns'],
  answerFields: { always: ['status', 'records', 'ttl', 'aliases'], onRequest: [] },
  minRecords: 2,
  query: [
    { name: 'name', label: 'Domain', kind: 'text' },
    { name: 'kind', label: 'Record type', kind: 'choice', options: ['MX', 'NS', 'TXT'] },
  ],
  settings: [
    { name: 'resolvers', label: 'Resolvers', kind: 'list', options: ['office', 'branch'], empty: 'refused' },
    { name: 'forbiddenNames', label: 'Forbidden domains', kind: 'list', options: null, empty: 'none' },
  ],
}

/** An adapter for records of prospects. */
export const directoryAdapter: SourceAdapter = {
  id: 'directory',
  version: '2.1.0',
  purposes: ['business_records'],
  answerFields: { always: [], onRequest: ['name', 'phone', 'email'] },
  minRecords: 1,
  query: [
    { name: 'businessId', label: 'Prospect', kind: 'business' },
    { name: 'fields', label: 'Fields', kind: 'answer_fields' },
    { name: 'provinces', label: 'Provinces', kind: 'provinces' },
    { name: 'maxRecords', label: 'Records', kind: 'number', min: 1, max: 1_000 },
  ],
  settings: [{ name: 'region', label: 'Region', kind: 'choice', options: ['north', 'south'] }],
}

/** An adapter whose queries the platform composes. */
export const modelAdapter: SourceAdapter = {
  id: 'model',
  version: '1.0.0',
  purposes: ['prospect_summary', 'draft_text'],
  answerFields: { always: ['text'], onRequest: [] },
  minRecords: 1,
  query: null,
  settings: [],
}
