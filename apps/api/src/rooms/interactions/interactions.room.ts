import type { Room } from '../room.ts'
import { interactionRoutes } from './interactions.routes.ts'

export const interactionRoom: Room = {
  name: 'interactions',
  routes: [interactionRoutes],
  holds: {
    interactions: {
      title: 'Interactions',
      permission: 'interactions.read',
      along: 'interactions_by_business',
      json: ['participants'],
      columns: {
        id: 'Id',
        occurred_at: 'At',
        channel: 'Channel',
        direction: 'Direction',
        outcome: 'Outcome',
        summary: 'Summary',
        participants: 'Participants',
        person_id: 'Person',
        follow_up_on: 'Follow-up',
        corrects_id: 'Corrects',
        on_do_not_contact: 'While do not contact',
        created_at: 'Entered at',
        created_by: 'Entered by',
      },
    },
    follow_up_changes: {
      title: 'Follow-up dates',
      permission: 'interactions.read',
      columns: { id: 'Id', follow_up_on: 'Follow-up', changed_at: 'Set at', changed_by: 'Set by' },
    },
  },
  erases: { interactions: { set: { summary: null, participants: '[]' }, counts: 'interactions' } },
  sample: async (desk) => (await import('./interactions.sample.ts')).sampleInteractions(desk),
}
