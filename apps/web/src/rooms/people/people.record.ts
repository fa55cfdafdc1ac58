import { IconUserPlus } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { PeoplePart } from './people-part.tsx'
import { AddPersonDialog } from './person-dialog.tsx'

export const recordParts: RecordParts = {
  tabParts: [{ tab: 'overview', isAbove: true, permission: 'people.read', Content: PeoplePart }],
  actions: [
    {
      id: 'record.person',
      label: 'Add a person',
      Icon: IconUserPlus,
      permission: 'people.write',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('person'),
    },
  ],
  dialogs: [{ id: 'person', Content: AddPersonDialog }],
}
