import { useEffect, useState } from 'react'
import { sessionGate } from '../../ui/api/session-gate.ts'
import { LazyDialogSlot } from '../../ui/dialogs/lazy-dialog-slot.tsx'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'

export const Palette = lazyPart('palette', () => import('./palette.tsx').then((module) => module.Palette))

/** Input of the palette. Text typed elsewhere while the palette opens belongs to it. */
const field = '[data-palette-field]'

/**
 * Buffers text typed from the moment the palette is requested, because it takes a moment to render. Otherwise the first letters would be lost, and
 * Enter would run a match of the remaining ones.
 */
export function OpenPalette({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const [wasOpen, setWasOpen] = useState(isOpen)
  const [typed, setTyped] = useState('')
  const [isEntered, setEntered] = useState(false)
  const type = (text: string) => {
    setTyped(text)
    setEntered(false)
  }
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    type('')
  }

  useEffect(() => {
    if (!isOpen) return
    const onKeyDown = (event: KeyboardEvent): void => {
      // A dialog for an expired session covers the palette, and the typed text is a password.
      if (sessionGate.interruption !== null) return
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.matches(field)) return
      if (event.key === 'Escape') close()
      else if (event.key === 'Enter') setEntered(true)
      else if (event.key === 'Backspace') setTyped((before) => before.slice(0, -1))
      else if (event.key.length === 1) setTyped((before) => before + event.key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [isOpen, close])

  return (
    <LazyDialogSlot>
      {isOpen && (
        <Palette typed={typed} type={type} isEntered={isEntered} enter={() => setEntered(true)} close={close} />
      )}
    </LazyDialogSlot>
  )
}
