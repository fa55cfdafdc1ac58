import { IconArrowRight } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { MoveNotice } from './delayed/move-notice.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { MoveControl } from './move-menu.tsx'
import { PipelineTab } from './pipeline-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'pipeline', label: 'Pipeline', permission: 'pipeline.read', position: 4, Content: PipelineTab }],
  notices: [MoveNotice],
  dialogs: [{ id: 'move', Content: MoveDialog }],
  actions: [
    {
      id: 'record.move',
      label: 'Move in the pipeline',
      shortLabel: 'Move',
      Icon: IconArrowRight,
      keys: 'm',
      permission: 'pipeline.move',
      at: 'button',
      isPrimary: true,
      asksMore: true,
      Control: MoveControl,
      run: (page) => page.openDialog('move'),
    },
  ],
}
