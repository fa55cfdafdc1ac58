import { type RefObject, useLayoutEffect, useState } from 'react'

/** The room within an element, as it is from the first time that it is painted: what is drawn by it does not jump. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const node = element.current
    if (node === null) return
    const look = () => {
      const [width, height] = [node.clientWidth, node.clientHeight]
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(node)
    return () => observer.disconnect()
  }, [element])
  return size
}
