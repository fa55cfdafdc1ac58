import { IconFileDescription } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { AddRecordDialog } from './add-record-dialog.tsx'
import { SourceRecordsTab } from './source-records-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'source-records', label: 'Source records', Content: SourceRecordsTab }],
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
