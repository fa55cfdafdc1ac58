import type { Business } from '@prospect/api-client'
import { IconBan, IconLockOpen } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { BlockDialog } from './block-dialog.tsx'
import { BlockReasons, LiftDialog } from './block-reasons.tsx'

const isMarkedByHand = (block: Business['doNotContact']): boolean => block !== null && block.through !== 'suppression'

export const recordParts: RecordParts = {
  blockNotices: [BlockReasons],
  dialogs: [
    { id: 'block', Content: BlockDialog },
    { id: 'lift', Content: LiftDialog },
  ],
  actions: [
    {
      id: 'record.block',
      label: ({ doNotContact }) =>
        isMarkedByHand(doNotContact) ? 'Block its values everywhere' : 'Mark as do not contact',
      Icon: IconBan,
      keys: 'd',
      permission: 'businesses.block',
      isTaken: ({ doNotContact, erasedAt }, { may }) =>
        erasedAt === null && (!isMarkedByHand(doNotContact) || may('suppression.add')),
      at: 'menu',
      isDangerous: true,
      asksMore: true,
      run: (page) => page.openDialog('block'),
    },
    {
      id: 'record.lift',
      label: 'Lift block',
      Icon: IconLockOpen,
      permission: 'suppression.remove',
      isTaken: ({ doNotContact }) => isMarkedByHand(doNotContact),
      asksMore: true,
      run: (page) => page.openDialog('lift'),
    },
  ],
}
