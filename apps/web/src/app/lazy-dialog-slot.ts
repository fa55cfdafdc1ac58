import { lazyPart } from '../ui/lazy/lazy-part.tsx'

/** For the frame, whose first load holds no dialog. */
export const DialogSlot = lazyPart('dialog-slot', () =>
  import('../ui/dialogs/dialog-slot.tsx').then((module) => module.DialogSlot),
)
