import type { AuditEvent, Business } from '@prospect/api-client'
import {
  IconArrowsExchange,
  IconBan,
  IconFileCheck,
  IconGitMerge,
  IconMessage2,
  IconNote,
  IconPencil,
  IconPoint,
  IconSparkles,
} from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useActionLabel } from '../../ui/api/audit-actions.ts'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { LoadMore } from '../../ui/lists/load-more.tsx'
import { Origin } from '../../ui/prospects/origin.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import classes from './audit.module.css'
import { activityQuery } from './audit.queries.ts'
import { actionSentence, actorOf, mergeIdOf, withoutMergeIds } from './audit-words.ts'
import { Differences } from './differences.tsx'

const icons: Record<string, typeof IconPencil> = {
  'business.create': IconSparkles,
  'business.edit': IconPencil,
  'business.block': IconBan,
  'evidence.add': IconFileCheck,
  'note.add': IconNote,
  'interaction.add': IconMessage2,
  'pipeline.move': IconArrowsExchange,
  'matching.merge': IconGitMerge,
  'matching.reverse': IconGitMerge,
}

/** Tab with all audit events of a record. */
export function ActivityTab({ business }: { business: Business }) {
  const list = useInfiniteQuery(activityQuery(business.id))
  if (!list.data) return <NotLoaded read={list} what="the activity" />
  if (list.data.items.length === 0) return <Empty title="No activity yet" />
  return (
    <div className={classes.activity}>
      <ol className={classes.timeline} aria-label="Activity, newest first">
        {list.data.items.map((event) => (
          <ActivityItem key={event.id} event={event} shownOn={business.id} />
        ))}
      </ol>
      <LoadMore what="events" {...list} data={list.data} />
    </div>
  )
}

/** Actions whose sentence is complete, so no table of changed fields follows: a move, a block, a match or a comparison. */
const completeActions = new Set([
  'pipeline.move',
  'note.add',
  'interaction.add',
  'business.block',
  'business.match_suppression',
  'matching.check',
])

function ActivityItem({ event, shownOn }: { event: AuditEvent; shownOn: string }) {
  const Icon = icons[event.action] ?? IconPoint
  const labelOf = useActionLabel()
  const mergeId = mergeIdOf(event)
  return (
    <li>
      <span className={classes.dot}>
        <Icon size={14} aria-hidden />
      </span>
      <div>
        <p>
          <b>
            <Name of={actorOf(event)} />
          </b>{' '}
          {actionSentence(event, labelOf)} <DateTime at={event.at} className={classes.when ?? ''} />{' '}
          <Origin of={event.businessId} on={shownOn} />
        </p>
        {event.reason !== null && (
          <p className={classes.reason}>
            <GivenReason of={event.reason} />
          </p>
        )}
        {mergeId !== undefined && (
          <p>
            <Link to="/duplicates/merges/$mergeId" params={{ mergeId }} className={classes.open}>
              Open the merge
            </Link>
          </p>
        )}
        {event.erased && <p className={classes.reason}>The content of this event was erased.</p>}
        {event.action === 'business.create' && !event.erased ? (
          <details className={classes.entered}>
            <summary>Entered values</summary>
            <Differences event={event} />
          </details>
        ) : (
          !completeActions.has(event.action) && <Differences event={withoutMergeIds(event)} />
        )}
      </div>
    </li>
  )
}
