import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import { useEffect, useEffectEvent, useState } from 'react'
import { pipelineOrder } from '../../../ui/prospects/pipeline-words.ts'

/** Cards that can be dragged, by the id in the data of their drag. */
const draggedRows = new Map<string, BusinessSummary>()

export function dragDataOf(row: BusinessSummary): Record<string, unknown> {
  draggedRows.set(row.id, row)
  return { cardId: row.id }
}

export function isCard(data: Record<string, unknown>): boolean {
  return typeof data.cardId === 'string'
}

/** Returns the state of the card that is being dragged, or null. Calls `onMove` if the card is dropped on another column. */
export function useCardDragging(
  isOn: boolean,
  onMove: (row: BusinessSummary, to: PipelineState) => void,
): PipelineState | null {
  const [from, setFrom] = useState<PipelineState | null>(null)
  const onDropped = useEffectEvent(onMove)
  useEffect(() => {
    if (!isOn) return
    return monitorForElements({
      canMonitor: ({ source }) => isCard(source.data),
      onDragStart: ({ source }) => setFrom(draggedRows.get(String(source.data.cardId))?.pipelineState ?? null),
      onDrop: ({ source, location }) => {
        setFrom(null)
        const row = draggedRows.get(String(source.data.cardId))
        draggedRows.clear()
        const to = pipelineOrder.find((state) => state === location.current.dropTargets[0]?.data.state)
        if (row !== undefined && to !== undefined) onDropped(row, to)
      },
    })
  }, [isOn])
  return from
}
