import { IconEraser } from '@tabler/icons-react'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'

const EraseDialog = lazyPart('erase', () => import('./erase-dialog.tsx').then((module) => module.EraseDialog))

export const recordParts: RecordParts = {
  dialogs: [{ id: 'erase', Content: EraseDialog }],
  actions: [
    {
      id: 'record.erase',
      label: 'Erase permanently',
      Icon: IconEraser,
      permission: 'erasure.erase',
      isTaken: ({ status, erasedAt }) => status !== 'merged' && erasedAt === null,
      at: 'menu',
      isDangerous: true,
      asksMore: true,
      run: (page) => page.openDialog('erase'),
    },
  ],
}
