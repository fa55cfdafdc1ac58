import { useId, useLayoutEffect, useRef } from 'react'

/** Something a person can do here: from the palette, by its keys, or both. */
export type Command = {
  id: string
  label: string
  /** The heading it stands under in the palette and in the shortcut list. */
  group: string
  /** 'n', '?', 'Enter', 'g p' for one after the other, 'mod+k' for Ctrl or Cmd. */
  keys?: string
  /** More words to find it by. */
  keywords?: string
  /** false: only a shortcut (moving in a list, say). */
  inPalette?: boolean
  run: () => void
}

/** Innermost last: what a panel offers comes before what its list offers. */
const registry = new Map<string, () => readonly Command[]>()
/** What the frame offers everywhere; it stands around every screen, whichever of the two was there first. */
const ofFrame = new Map<string, () => readonly Command[]>()

/**
 * Offers commands for as long as the component is mounted, from before it is painted: whoever sees it can press its keys. Inner screens win
 * over outer ones for the same keys.
 */
export function useCommands(commands: readonly Command[], isFrame = false): void {
  const id = useId()
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  useLayoutEffect(() => {
    const registered = isFrame ? ofFrame : registry
    registered.set(id, () => latest.current)
    return () => {
      registered.delete(id)
    }
  }, [id, isFrame])
}

export function currentCommands(): Command[] {
  const inner = [...registry.values()].reverse()
  return [...inner, ...ofFrame.values()].flatMap((read) => [...read()])
}
