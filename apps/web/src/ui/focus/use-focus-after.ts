import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from './lost-focus.ts'

/** When something goes that had the focus, and leaves it on nothing, this element has it: what the other was about, or where it stood. */
export function useFocusAfter(isThere: boolean, next: RefObject<HTMLElement | null>): void {
  const wasThere = useRef(isThere)
  useEffect(() => {
    if (wasThere.current && !isThere && isFocusLost()) next.current?.focus({ preventScroll: true })
    wasThere.current = isThere
  }, [isThere, next])
}
