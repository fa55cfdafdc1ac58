import { IconFileDescription } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { AddRecordDialog } from './add-record-dialog.tsx'
import { SourceRecords } from './source-records.tsx'

export const recordParts: RecordParts = {
  tabParts: [{ tab: 'website', id: 'source-records', permission: 'sources.read', Content: SourceRecords }],
  actions: [
    {
      id: 'record.source',
      label: 'Record reference',
      Icon: IconFileDescription,
      permission: 'sources.record',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('source-record'),
    },
  ],
  dialogs: [{ id: 'source-record', Content: AddRecordDialog }],
}
