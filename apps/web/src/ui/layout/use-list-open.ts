import { type KeyboardEvent, useRef, useState } from 'react'

/**
 * Open state of the option list of an input. Ctrl+Enter submits the form, so it does not open the list, and closes an open one, which would hide the
 * error of the field.
 */
export function useListOpen() {
  const [dropdownOpened, setOpened] = useState(false)
  const isSending = useRef(false)
  return {
    dropdownOpened,
    onDropdownOpen: () => setOpened(!isSending.current),
    onDropdownClose: () => setOpened(false),
    wrapperProps: {
      onKeyDownCapture: (event: KeyboardEvent) => {
        isSending.current = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
        if (isSending.current) setOpened(false)
      },
      // Bubble phase: the field has already handled the key.
      onKeyDown: () => {
        isSending.current = false
      },
    },
  }
}
