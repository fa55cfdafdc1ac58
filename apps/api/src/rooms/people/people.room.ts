import { changeTime, ERASED, erasedText, ifNull, nextNumber, textInstead } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { peopleLimit } from './people.quota.ts'
import { peopleRoutes } from './people.routes.ts'
import { suppressBlocked } from './person-values.ts'

export const peopleRoom: Room = {
  name: 'people',
  routes: [peopleRoutes],
  recordLimits: [peopleLimit],
  holds: {
    people: {
      title: 'People',
      permission: 'people.read',
      columns: { id: 'Id', created_at: 'Added at', created_by: 'Added by' },
    },
    person_states: {
      title: 'Details of people',
      permission: 'people.read',
      order: 'person_id',
      columns: {
        person_id: 'Person',
        name: 'Name',
        role: 'Role',
        language: 'Language',
        note: 'Note',
        left_on: 'Left on',
        blocked_at: 'Do not contact since',
        blocked_by: 'Marked by',
        blocked_reason: 'Reason of the mark',
        joined_into: 'Joined into',
        erased_at: 'Erased at',
        updated_at: 'Changed at',
      },
    },
    person_identifiers: {
      title: 'Addresses and numbers of people',
      permission: 'people.read',
      order: null,
      columns: { person_id: 'Person', kind: 'Kind', original: 'Value', label: 'Label', region: 'Country' },
    },
  },
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
        joined_into: null,
        erased_at: ifNull(changeTime),
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
