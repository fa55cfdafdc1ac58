import { IconBan, IconPencil } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { BlockDialog } from './record/block-dialog.tsx'
import { EditRecord } from './record/edit-record.tsx'
import { Overview } from './record/overview.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'overview', label: 'Overview', Content: Overview }],
  modes: [{ id: 'edit', permission: 'businesses.write', Content: EditRecord }],
  dialogs: [{ id: 'block', Content: BlockDialog }],
  actions: [
    {
      id: 'record.edit',
      label: ({ name }) => `Edit ${nameText(name)}`,
      shortLabel: 'Edit',
      Icon: IconPencil,
      keys: 'e',
      permission: 'businesses.write',
      at: 'button',
      opensMode: 'edit',
      run: (page) => page.openTab('edit'),
    },
    {
      id: 'record.block',
      label: 'Mark as do not contact',
      Icon: IconBan,
      permission: 'businesses.block',
      isTaken: ({ doNotContact, erasedAt }) =>
        erasedAt === null && (doNotContact === null || doNotContact.through === 'suppression'),
      at: 'menu',
      isDangerous: true,
      asksMore: true,
      run: (page) => page.openDialog('block'),
    },
  ],
}
