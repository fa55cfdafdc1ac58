import { ERASED } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { evidenceRoutes } from './evidence.routes.ts'

export const evidenceRoom: Room = {
  name: 'evidence',
  routes: [evidenceRoutes],
  holds: {
    evidence: {
      title: 'Evidence',
      permission: 'evidence.read',
      columns: {
        id: 'Id',
        field: 'Fact',
        value: 'Value',
        observation: 'Observation',
        source_label: 'Source',
        source_reference: 'Reference',
        url: 'Address of the page',
        context: 'Context',
        captured_at: 'Captured at',
        captured_on: 'Captured on',
        observed_at: 'Observed at',
        observed_on: 'Observed on',
        confidence: 'Confidence',
        supersedes_id: 'Replaces',
        source_record_id: 'Source record',
        created_at: 'Entered at',
        created_by: 'Entered by',
      },
    },
  },
  erases: {
    evidence: {
      set: {
        field: null,
        value: null,
        source_reference: null,
        context: null,
        url: null,
        observation: ERASED,
        source_label: ERASED,
      },
      counts: 'evidence',
    },
  },
  sample: async (desk) => (await import('./evidence.sample.ts')).sampleEvidence(desk),
}
