import { IconArrowRight } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { MoveMenuItems } from './move-menu.tsx'
import { PipelineTab } from './pipeline-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'pipeline', label: 'Pipeline', Content: PipelineTab }],
  actions: [
    {
      id: 'record.move',
      label: 'Move in the pipeline',
      shortLabel: 'Move',
      Icon: IconArrowRight,
      permission: 'pipeline.move',
      at: 'button',
      isPrimary: true,
      Items: MoveMenuItems,
      run: (page) => page.openTab('pipeline'),
    },
  ],
}
