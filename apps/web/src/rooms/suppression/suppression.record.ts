import { IconLockOpen } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { BlockReasons, LiftDialog } from './block-reasons.tsx'

export const recordParts: RecordParts = {
  blockNotices: [BlockReasons],
  dialogs: [{ id: 'lift', Content: LiftDialog }],
  actions: [
    {
      id: 'record.lift',
      label: 'Lift block',
      Icon: IconLockOpen,
      permission: 'suppression.remove',
      isTaken: ({ doNotContact }) => doNotContact !== null && doNotContact.through !== 'suppression',
      asksMore: true,
      run: (page) => page.openDialog('lift'),
    },
  ],
}
