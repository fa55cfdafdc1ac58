import type { Business } from '@prospect/api-client'
import { liftBlock } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { RecordActionButton } from '../../ui/rooms/record-action-button.tsx'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { RemovalDialog } from './removal-dialog.tsx'
import classes from './suppression.module.css'
import { entriesOfBusinessQuery } from './suppression.queries.ts'
import { entryName } from './suppression-words.ts'

/** In the band of a blocked record: the entries that block it, and the action to lift a manual block for users with the permission. */
export function BlockReasons({ business }: { business: Business }) {
  const canSee = useCan('suppression.read')
  const through = business.doNotContact?.through
  if (through === undefined) return null
  return (
    <span className={classes.hold}>
      {canSee && through !== 'hand' && <Entries businessId={business.id} />}
      <RecordActionButton id="record.lift" size="compact-xs" variant="default" />
    </span>
  )
}

/** Stays open after the band disappears, because it shows the audit event. */
export function LiftDialog({ business, ...dialog }: OpenProps) {
  return (
    <RemovalDialog
      draftName={`lift-${business.id}`}
      title={`Lift block of ${nameText(business.name)}?`}
      label="Lift block"
      next="The block that a person set ends. Entries of the do-not-contact list that match the record still block the prospect."
      send={async ({ reason }, key) => {
        const { event, business: lifted } = await dataOf(
          liftBlock({ path: { businessId: business.id }, body: { reason }, ...withKey(key) }),
        )
        const name = nameText(lifted.name)
        const words =
          lifted.doNotContact === null
            ? `${name} can be contacted again.`
            : `Block lifted. An entry of the do-not-contact list still blocks ${name}.`
        return { event, words }
      }}
      {...dialog}
    />
  )
}

function Entries({ businessId }: { businessId: string }) {
  const list = useInfiniteQuery(entriesOfBusinessQuery(businessId))
  if (list.isError && !list.data) return <span role="alert">{sentenceOf(list.error)}</span>
  const holding = list.data?.items.filter(({ live }) => live) ?? []
  if (holding.length === 0) return null
  return (
    <span>
      Blocked by{' '}
      {holding.map(({ suppression }, index) => (
        <span key={suppression.id}>
          {index > 0 && ', '}
          <Link to="/suppression/$suppressionId" params={{ suppressionId: suppression.id }}>
            {entryName(suppression)}
          </Link>
        </span>
      ))}
      {list.hasNextPage && ' and more'}.
    </span>
  )
}
