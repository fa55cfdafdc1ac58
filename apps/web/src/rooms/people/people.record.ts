import { IconUserPlus } from '@tabler/icons-react'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { PeoplePart } from './people-part.tsx'

const AddPersonDialog = lazyPart('person', () => import('./person-dialog.tsx').then((module) => module.AddPersonDialog))

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
