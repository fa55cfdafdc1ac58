import { type RefObject, useEffect, useRef } from 'react'

/** For a row of tabs or links that scrolls sideways where it is narrow: the current one is in sight, also after a link led to it. */
export function useScrollCurrentIntoView<Strip extends HTMLElement>(current: string): RefObject<Strip | null> {
  const strip = useRef<Strip>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one became the current one
  useEffect(() => {
    strip.current
      ?.querySelector('[aria-selected="true"], [aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return strip
}
