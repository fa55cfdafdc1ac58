import { IconClipboardText } from '@tabler/icons-react'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'

const HoldingDialog = lazyPart('everything held', () =>
  import('./lazy.ts').then((module) => module.RecordHoldingDialog),
)

export const recordParts: RecordParts = {
  dialogs: [{ id: 'holdings', Content: HoldingDialog }],
  actions: [
    {
      id: 'record.holdings',
      label: 'Everything held',
      Icon: IconClipboardText,
      permission: 'holdings.create',
      isTaken: ({ erasedAt }) => erasedAt === null,
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('holdings'),
    },
  ],
}
