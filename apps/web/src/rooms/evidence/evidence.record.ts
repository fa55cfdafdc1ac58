import { IconFileCheck } from '@tabler/icons-react'
import { evidenceForm } from '../../ui/rooms/record-forms.ts'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { EvidenceTab } from './evidence-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'evidence', label: 'Evidence', permission: 'evidence.read', position: 5, Content: EvidenceTab }],
  actions: [
    {
      id: 'record.evidence',
      label: 'Add evidence',
      Icon: IconFileCheck,
      permission: 'evidence.write',
      at: 'menu',
      run: (page) => page.openForm(evidenceForm, null),
    },
  ],
}
