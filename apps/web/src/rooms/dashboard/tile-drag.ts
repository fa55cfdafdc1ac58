import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

const KIND = 'dashboard-tile'

/** Drags a tile by its header to the place of another one. The menu of the tile does the same by keyboard. */
export function useTileDrag(key: string, dropped: (dragged: string, onto: string) => void) {
  const tile = useRef<HTMLElement>(null)
  const handle = useRef<HTMLElement>(null)
  /** True for the tile that is dragged, and for the one onto which it would be dropped. */
  const [isMarked, setMarked] = useState(false)
  const onDropped = useEffectEvent(dropped)
  useEffect(() => {
    const [element, dragHandle] = [tile.current, handle.current]
    if (element === null || dragHandle === null) return
    const stopDragging = draggable({
      element,
      dragHandle,
      getInitialData: () => ({ kind: KIND, key }),
      onDragStart: () => setMarked(true),
      onDrop: () => setMarked(false),
    })
    const stopReceiving = dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.kind === KIND && source.data.key !== key,
      onDragEnter: () => setMarked(true),
      onDragLeave: () => setMarked(false),
      onDrop: ({ source }) => {
        setMarked(false)
        onDropped(String(source.data.key), key)
      },
    })
    return () => {
      stopDragging()
      stopReceiving()
    }
  }, [key])
  return { tile, handle, isMarked }
}
