import { IconGitMerge } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import classes from '../text/marks.module.css'
import { Name } from '../text/name.tsx'
import { originQuery } from './record-queries.ts'

type OriginProps = {
  /** Id of the record for which the entry was written. */
  of: string | null
  /** Id of the record whose page shows it. */
  on: string
}

/** Name of the merged record that an entry on the page of its survivor comes from. Renders nothing for the record's own entries. */
export function Origin({ of, on }: OriginProps) {
  return of === null || of === on ? null : <FromMerged businessId={of} />
}

function FromMerged({ businessId }: { businessId: string }) {
  const { data } = useQuery(originQuery(businessId))
  return (
    <span className={classes.origin}>
      <IconGitMerge size={13} aria-hidden />
      <span>
        from the merged record{' '}
        <Link to="/prospects/$businessId" params={{ businessId }}>
          {data === undefined ? 'it was written for' : <Name of={data.name} />}
        </Link>
      </span>
    </span>
  )
}
