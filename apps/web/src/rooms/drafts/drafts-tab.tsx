import type { Business } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { Bases } from './bases.tsx'
import { channelWords } from './draft-words.ts'
import classes from './drafts.module.css'
import { draftsOfQuery } from './drafts.queries.ts'
import { StateMark } from './state-mark.tsx'

/** Tab with the drafts and legal bases of a prospect. */
export function DraftsTab({ business }: { business: Business }) {
  if (!useCan('drafts.read')) return <NoPermission what="drafts" />
  return (
    <div className={classes.tab}>
      <DraftsOf business={business} />
      <Bases business={business} />
    </div>
  )
}

function DraftsOf({ business }: { business: Business }) {
  const list = useInfiniteQuery(draftsOfQuery(business.id))
  const canWrite = useCanWork('drafts.write', business)
  return (
    <section aria-labelledby="record-drafts">
      <h2 id="record-drafts" className={classes.part}>
        Drafts
      </h2>
      {canWrite &&
        (business.doNotContact === null ? (
          <p>
            <Link to="/drafts/new" search={{ businessId: business.id }}>
              Write a draft
            </Link>
          </p>
        ) : (
          <p>The prospect is marked do not contact, so nobody can write a draft.</p>
        ))}
      <ListBody
        list={list}
        data={list.data}
        noun="drafts"
        lines={2}
        empty={
          <Empty title="No drafts yet">A draft is checked, approved and then copied by hand. Nothing is sent.</Empty>
        }
      >
        {(items) => (
          <ul className={classes.rows} aria-label="Drafts, newest first">
            {items.map((draft) => (
              <li key={draft.id}>
                <Link to="/drafts/$draftId" params={{ draftId: draft.id }}>
                  <Name of={draft.title} />
                </Link>{' '}
                · <StateMark state={draft.state} /> · {channelWords[draft.channel]} · <DateTime at={draft.updatedAt} />
              </li>
            ))}
          </ul>
        )}
      </ListBody>
    </section>
  )
}
