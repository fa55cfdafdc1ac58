import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { emptyAnsweredRequests, emptyRequestsFrom, erasedTables } from './empty-requests.ts'
import { holdRequestsOfValue, requestColumns } from './hold-requests.ts'
import { subjectRequestQuota } from './requests.quota.ts'
import { subjectRequestRoutes } from './requests.routes.ts'
import { limits } from './requests.schema.ts'
import { waitingInRequests } from './waiting.ts'

export const requestRoom: Room = {
  name: 'requests',
  routes: [subjectRequestRoutes],
  waiting: waitingInRequests,
  quotas: [subjectRequestQuota],
  upkeep: [emptyAnsweredRequests],
  retention: [
    {
      key: 'subject_requests',
      data: 'Names, contacts and texts of answered subject requests',
      term: termOf(limits.keptDays, 'day'),
      begins: 'From the answer. An erasure of the prospect ends the period at once.',
      ends: 'The name, the contact and the texts are deleted. The request remains with its kind, days, outcome and acts.',
      tasks: [emptyAnsweredRequests.name],
    },
  ],
  holds: {
    subject_requests: {
      title: 'Subject requests about the prospect',
      permission: 'requests.read',
      along: 'subject_requests_by_business',
      json: ['acts'],
      columns: requestColumns,
    },
  },
  hold: holdRequestsOfValue,
  erases: erasedTables,
  erase: async (tx, businessIds, { values }) => ({
    counts: { subjectRequests: await emptyRequestsFrom(tx, businessIds, values) },
  }),
  sample: async (desk) => (await import('./requests.sample.ts')).sampleRequests(desk),
}
