import { type ReactNode, useState } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'

const DialogSlot = lazyPart('dialog-slot', () => import('./dialog-slot.tsx').then((module) => module.DialogSlot))

/**
 * A `DialogSlot` for code in the initial bundle, which contains no dialog. The file of `DialogSlot` loads when the first dialog opens, or through
 * `prefetch`.
 */
export function LazyDialogSlot({ children }: { children: ReactNode }) {
  const isOpen = Boolean(children)
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)
  return wasOpened && <DialogSlot>{children}</DialogSlot>
}
LazyDialogSlot.prefetch = DialogSlot.prefetch
