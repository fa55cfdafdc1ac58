import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

type Side = 'before' | 'after'

/** Lets a column's header be dragged, and another be dropped beside it. Returns what takes that back. */
export function makeDraggable(
  node: HTMLElement,
  columnId: string,
  onHover: (side: Side | null) => void,
  onDropped: (columnId: string, side: Side) => void,
): () => void {
  const sideAt = (x: number): Side => {
    const box = node.getBoundingClientRect()
    return x < box.left + box.width / 2 ? 'before' : 'after'
  }
  const stopDragging = draggable({
    element: node,
    getInitialData: () => ({ columnId }),
    // The last pixels are the handle that resizes.
    canDrag: ({ input }) => node.getBoundingClientRect().right - input.clientX > 10,
  })
  const stopDropping = dropTargetForElements({
    element: node,
    canDrop: ({ source }) => typeof source.data.columnId === 'string' && source.data.columnId !== columnId,
    onDrag: ({ location }) => onHover(sideAt(location.current.input.clientX)),
    onDragLeave: () => onHover(null),
    onDrop: ({ source, location }) => {
      onHover(null)
      onDropped(String(source.data.columnId), sideAt(location.current.input.clientX))
    },
  })
  return () => {
    stopDragging()
    stopDropping()
  }
}
