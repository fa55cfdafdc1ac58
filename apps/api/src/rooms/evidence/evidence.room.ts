import { ERASED } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { evidenceRoutes } from './evidence.routes.ts'

export const evidenceRoom: Room = {
  name: 'evidence',
  routes: [evidenceRoutes],
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
