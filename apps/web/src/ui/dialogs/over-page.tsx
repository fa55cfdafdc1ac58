import { type ReactNode, useSyncExternalStore } from 'react'
import { LazyDialogSlot } from './lazy-dialog-slot.tsx'

let shown: ReactNode = null
const listeners = new Set<() => void>()

/** Opens a dialog over whatever page is shown; null closes it. For what may be asked after the place that began it is gone. */
export function showOverPage(dialog: ReactNode): void {
  shown = dialog
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where `showOverPage` shows; once in the frame. */
export function OverPage() {
  return <LazyDialogSlot>{useSyncExternalStore(subscribe, () => shown)}</LazyDialogSlot>
}
