import type { Action } from '../../ui/actions/actions.ts'
import type { Room } from '../../ui/rooms/room.ts'

/** My prospects that are due, the earliest first. In this list `j` opens the next one, and so does Save and next. */
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
    sort: 'followUpOn',
  },
}

export const interactionRoom: Room = {
  actions: [myDayPlan],
  recordParts: () => import('./interactions.record.ts'),
}
