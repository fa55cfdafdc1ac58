import { IconFileUpload } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { DropPage } from './drop-page.tsx'
import { SupplyPageDialog } from './supply-page-dialog.tsx'
import { WebsiteTab } from './website-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'website', label: 'Website', permission: 'scanning.read', Content: WebsiteTab }],
  actions: [
    {
      id: 'record.page',
      label: 'Supply page',
      Icon: IconFileUpload,
      permission: 'scanning.supply',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('supplied-page'),
    },
  ],
  dialogs: [{ id: 'supplied-page', Content: SupplyPageDialog }],
  notices: [DropPage],
}
