import { changeTime, ERASED, erasedText, nextNumber, textInstead } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { peopleLimit } from './people.quota.ts'
import { peopleRoutes } from './people.routes.ts'
import { suppressBlocked } from './person-values.ts'

export const peopleRoom: Room = {
  name: 'people',
  routes: [peopleRoutes],
  recordLimits: [peopleLimit],
  erases: {
    person_states: {
      by: 'business_id',
      set: {
        name: ERASED,
        role: erasedText,
        language: null,
        note: erasedText,
        left_on: null,
        blocked_reason: textInstead(ERASED),
        version: nextNumber,
        updated_at: changeTime,
      },
      counts: 'people',
    },
    person_identifiers: { by: 'business_id', deletes: true },
  },
  sample: async (desk) => (await import('./people.sample.ts')).samplePeople(desk),
  erase: async (tx, businessIds) => {
    await suppressBlocked(tx, businessIds)
    return {}
  },
}
