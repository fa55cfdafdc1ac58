import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

const RESIZE_HANDLE = '[data-resize-handle]'

type Side = 'before' | 'after'

/** Makes a column header draggable, and a drop target for other columns. Returns a function that removes both. */
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
  // Checked on pointerdown: when the drag starts, the resize handle has already moved away from the pointer.
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
