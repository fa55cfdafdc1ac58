import { IconWorldPlus } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { ProposeForRecord } from './propose-domain-dialog.tsx'

export const recordParts: RecordParts = {
  actions: [
    {
      id: 'record.domain',
      label: 'Propose a domain',
      Icon: IconWorldPlus,
      permission: 'domains.propose',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('propose-domain'),
    },
  ],
  dialogs: [{ id: 'propose-domain', Content: ProposeForRecord }],
}
