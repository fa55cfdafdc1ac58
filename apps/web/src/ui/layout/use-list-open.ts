import { type KeyboardEvent, useRef, useState } from 'react'

/**
 * Whether the list beneath a field to choose from is open. Ctrl-Enter sends the form: it opens none and closes the one that is open, which would
 * hide what the form says of the field.
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
      // The field has heard it by now.
      onKeyDown: () => {
        isSending.current = false
      },
    },
  }
}
