import type { RemovedFilterValue } from '@prospect/api-client'
import { RemovedList } from '../../../ui/prospects/removed-list.tsx'
import classes from './filter-bar.module.css'

type Props = { removed: readonly RemovedFilterValue[]; remove: (one: RemovedFilterValue) => void }

/** Values of the filters that no longer exist, with their effect. Each can be taken out of the filters. */
export function RemovedNotice({ removed, remove }: Props) {
  return (
    <div role="status" className={classes.removed}>
      <RemovedList removed={removed} remove={remove} />
    </div>
  )
}
