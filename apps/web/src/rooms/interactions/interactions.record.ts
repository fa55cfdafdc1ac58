import { IconCalendarCheck, IconPhone } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { CloseFollowUpDialog } from './close-follow-up-dialog.tsx'
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
  dialogs: [{ id: 'close-follow-up', Content: CloseFollowUpDialog }],
  actions: [
    {
      id: 'record.close_follow_up',
      label: 'Close follow-up',
      Icon: IconCalendarCheck,
      permission: 'interactions.write',
      isTaken: ({ status, followUpOn }) => status === 'active' && followUpOn !== null,
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('close-follow-up'),
    },
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
  ],
}
