import { Popover } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { isFocusLost } from '../focus/lost-focus.ts'
import classes from './popover-chip.module.css'

type Props = {
  name: string
  /** The filter as text; null while the user is choosing. */
  words: string | null
  startOpen: boolean
  /** Called when the popover was closed. */
  onClose: () => void
  onClear: () => void
  /** The fields of the filter. `close` closes the popover after a choice. */
  children: (close: () => void) => ReactNode
}

/** One filter, shown as part of a sentence, whose fields open in a popover. Another button removes it. */
export function PopoverChip({ name, words, startOpen, onClose, onClear, children }: Props) {
  const [isOpen, setOpen] = useState(startOpen)
  const button = useRef<HTMLButtonElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  const close = (): void => {
    setOpen(false)
    // A menu that opened the popover is gone, so the focus returns to the chip. Fields accept what was typed when they lose the focus.
    button.current?.focus()
    onClose()
  }
  // Escape first closes an open list or calendar of a field.
  const closeByKey = ({ key, target, currentTarget }: KeyboardEvent): void => {
    const isInside = target instanceof Element && currentTarget.contains(target)
    if (key === 'Escape' && isInside && !target.matches('[aria-haspopup="listbox"][aria-expanded="true"]')) close()
  }
  // Escape can close the popover before its focus trap runs: the focus would land inside and be lost.
  const keepFocus = (): void => {
    if (isFocusLost() || dropdown.current?.contains(document.activeElement)) button.current?.focus()
  }
  return (
    <span className={classes.chip}>
      <Popover
        opened={isOpen}
        onDismiss={close}
        onExitTransitionEnd={keepFocus}
        closeOnEscape={false}
        trapFocus
        position="bottom-start"
        width={310}
      >
        <Popover.Target>
          <button
            ref={button}
            type="button"
            className={classes.words}
            aria-label={words === null ? name : `${name}: ${words}`}
            onClick={() => (isOpen ? close() : setOpen(true))}
            onKeyDown={(event) => event.key === 'Escape' && isOpen && close()}
          >
            {words ?? `${name} …`}
          </button>
        </Popover.Target>
        <Popover.Dropdown ref={dropdown} aria-label={name} onKeyDown={closeByKey}>
          {children(close)}
        </Popover.Dropdown>
      </Popover>
      {words !== null && (
        <button type="button" className={classes.clear} aria-label={`Remove the filter “${words}”`} onClick={onClear}>
          <IconX size={13} stroke={2} aria-hidden />
        </button>
      )}
    </span>
  )
}
