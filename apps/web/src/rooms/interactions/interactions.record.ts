import { IconMessage2 } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { InteractionsTab, interactionForm } from './interactions-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'interactions', label: 'Interactions', Content: InteractionsTab }],
  actions: [
    {
      id: 'record.interaction',
      label: 'Record interaction',
      shortLabel: 'Record interaction',
      Icon: IconMessage2,
      keys: 'i',
      permission: 'interactions.write',
      run: (page) => page.openForm(interactionForm, null),
    },
  ],
}
