import { type RefObject, useLayoutEffect, useState } from 'react'

/** Size of an element, measured before the first paint so that content does not jump. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const node = element.current
    if (node === null) return
    const measure = () => {
      const [width, height] = [node.clientWidth, node.clientHeight]
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [element])
  return size
}
