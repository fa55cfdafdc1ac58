import { type ReactNode, useState } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'

const DialogSlot = lazyPart('dialog-slot', () => import('./dialog-slot.tsx').then((module) => module.DialogSlot))

/** A `DialogSlot` for the first load of the app, which holds no dialog: its file loads when its first dialog opens, or with `prefetch`. */
export function LazyDialogSlot({ children }: { children: ReactNode }) {
  const isOpen = Boolean(children)
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)
  return wasOpened && <DialogSlot>{children}</DialogSlot>
}
LazyDialogSlot.prefetch = DialogSlot.prefetch
