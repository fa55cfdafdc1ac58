import { Popover } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { isFocusLost } from '../focus/lost-focus.ts'
import chip from './filter-chip.module.css'
import { ClearFilter } from './filter-chip.tsx'

type Props = {
  name: string
  /** The filter as text; null while the user is choosing. */
  words: string | null
  startOpen: boolean
  /** Called when the popover was closed. */
  onClose: () => void
  onClear: () => void
  /** The fields of the filter. `shut` closes the popover after a choice. */
  children: (shut: () => void) => ReactNode
}

/** One filter, shown as part of a sentence, whose fields open in a popover. Another button removes it. */
export function PopoverChip({ name, words, startOpen, onClose, onClear, children }: Props) {
  const [isOpen, setOpen] = useState(startOpen)
  const button = useRef<HTMLButtonElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  // A menu that opened the popover is gone, so the focus returns to the chip.
  const shut = (): void => {
    setOpen(false)
    button.current?.focus()
  }
  const close = (): void => {
    shut()
    onClose()
  }
  // Escape can close the popover before its focus trap runs: the focus would land inside and be lost.
  const keepFocus = (): void => {
    if (isFocusLost() || dropdown.current?.contains(document.activeElement)) button.current?.focus()
  }
  return (
    <span className={chip.chip}>
      <Popover
        opened={isOpen}
        onDismiss={close}
        onExitTransitionEnd={keepFocus}
        trapFocus
        position="bottom-start"
        width={310}
      >
        <Popover.Target>
          <button
            ref={button}
            type="button"
            className={chip.words}
            aria-label={words === null ? name : `${name}: ${words}`}
            onClick={() => (isOpen ? close() : setOpen(true))}
            onKeyDown={(event) => event.key === 'Escape' && isOpen && close()}
          >
            {words ?? `${name} …`}
          </button>
        </Popover.Target>
        <Popover.Dropdown ref={dropdown} aria-label={name}>
          {children(shut)}
        </Popover.Dropdown>
      </Popover>
      {words !== null && <ClearFilter words={words} onClear={onClear} />}
    </span>
  )
}
