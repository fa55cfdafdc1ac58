import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls the current tab or link into view, for a row that scrolls sideways on a narrow screen. */
export function useScrollCurrentIntoView<Strip extends HTMLElement>(current: string): RefObject<Strip | null> {
  const strip = useRef<Strip>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the current item changes
  useEffect(() => {
    strip.current
      ?.querySelector('[aria-selected="true"], [aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return strip
}
