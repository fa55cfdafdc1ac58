import { IconCalendarCheck, IconPhone } from '@tabler/icons-react'
import { FOLLOW_UP_ACTION, type RecordParts } from '../../ui/rooms/record-parts.ts'
import { FollowUpDialog } from './follow-up-dialog.tsx'
import { InteractionsTab, interactionForm } from './interactions-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [
    {
      id: 'interactions',
      label: 'Interactions',
      permission: 'interactions.read',
      position: 2,
      Content: InteractionsTab,
    },
  ],
  dialogs: [{ id: 'follow-up', Content: FollowUpDialog }],
  actions: [
    {
      id: 'record.interaction',
      label: 'Log call or other interaction',
      shortLabel: 'Log call',
      Icon: IconPhone,
      keys: 'i',
      permission: 'interactions.write',
      at: 'button',
      isPrimary: true,
      run: (page) => page.openForm(interactionForm, null),
    },
    {
      id: FOLLOW_UP_ACTION,
      label: ({ followUpOn }) => (followUpOn === null ? 'Set a follow-up' : 'Move or clear the follow-up'),
      Icon: IconCalendarCheck,
      keys: 'w',
      permission: 'interactions.write',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('follow-up'),
    },
  ],
}
