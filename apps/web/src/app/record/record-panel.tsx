import { useLayoutEffect, useRef } from 'react'
import { ScreenLoading } from '../../ui/layout/states.tsx'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import { loadRecordParts } from './load-record-parts.ts'
import classes from './record-panel.module.css'
import type { RecordViewProps } from './record-view.tsx'

export const RecordView = lazyPart<RecordViewProps>(
  'record',
  async () => {
    const [View, parts] = await Promise.all([
      import('./record-view.tsx').then((module) => module.RecordView),
      loadRecordParts(),
    ])
    return (props) => <View parts={parts} {...props} />
  },
  <ScreenLoading />,
)

/** Panel with a record beside a list. */
export function RecordPanel({ businessId, home }: Pick<RecordViewProps, 'businessId' | 'home'>) {
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the top when another record opens
  useLayoutEffect(() => {
    if (panel.current !== null) panel.current.scrollTop = 0
  }, [businessId])
  return (
    <aside ref={panel} className={classes.panel} aria-label="Record">
      <RecordView businessId={businessId} variant="panel" home={home} />
    </aside>
  )
}
