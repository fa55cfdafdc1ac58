import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from './lost-focus.ts'

/**
 * Focuses `next` when an element that had the focus was removed and nothing else has it. `next` is the subject or the place of the removed element.
 */
export function useFocusAfter(isThere: boolean, next: RefObject<HTMLElement | null>): void {
  const wasThere = useRef(isThere)
  useEffect(() => {
    if (wasThere.current && !isThere && isFocusLost()) next.current?.focus({ preventScroll: true })
    wasThere.current = isThere
  }, [isThere, next])
}
