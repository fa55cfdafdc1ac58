import type { Action } from '../../ui/actions/actions.ts'
import type { Room } from '../../ui/rooms/room.ts'

/** The own prospects whose follow-up is due, in the order of `mayBeCalled`. `j` and Save and next open the next prospect. */
const myDayPlan: Action = {
  id: 'my-day-plan',
  label: 'My day plan',
  group: 'Go to',
  keys: 'g y',
  keywords: 'follow-ups due overdue today calls',
  permission: 'businesses.read',
  to: '/prospects',
  search: {
    assignee: 'me',
    doNotContact: 'false',
    conditions: JSON.stringify([{ field: 'followUp', op: 'any_of', values: ['overdue', 'today'] }]),
    sort: 'mayBeCalled',
  },
}

export const interactionRoom: Room = {
  actions: [myDayPlan],
  recordParts: () => import('./interactions.record.ts'),
}
