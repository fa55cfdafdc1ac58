import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

const RESIZE_HANDLE = '[data-resize-handle]'

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
  // Decided where the mouse goes down: by the time a drag begins, the handle that resizes has moved away with the edge.
  let isOnHandle = false
  const onDown = ({ target }: PointerEvent) => {
    isOnHandle = target instanceof Element && target.closest(RESIZE_HANDLE) !== null
  }
  node.addEventListener('pointerdown', onDown, { capture: true })
  const stopDragging = draggable({
    element: node,
    getInitialData: () => ({ columnId }),
    canDrag: () => !isOnHandle,
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
    node.removeEventListener('pointerdown', onDown, { capture: true })
    stopDragging()
    stopDropping()
  }
}
