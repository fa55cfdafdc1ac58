import { IconFileCertificate } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { AddBasisDialog } from './add-basis-dialog.tsx'
import { DraftsTab } from './drafts-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'drafts', label: 'Drafts', permission: 'drafts.read', Content: DraftsTab }],
  actions: [
    {
      id: 'record.legal_basis',
      label: 'Add a legal basis',
      Icon: IconFileCertificate,
      permission: 'drafts.write',
      isTaken: ({ status, doNotContact }) => status === 'active' && doNotContact === null,
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('legal-basis'),
    },
  ],
  dialogs: [{ id: 'legal-basis', Content: AddBasisDialog }],
}
