import type { Business } from '@prospect/api-client'
import { IconArchive, IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { DoNotContactBand } from '../../../ui/prospects/do-not-contact-band.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from './record.module.css'

type Props = {
  business: Business
  /** Parts that explain why the record is do not contact and how to lift the block. */
  notices: readonly ComponentType<{ business: Business }>[]
}

/** Important states of a record, above all other content of its page. */
export function RecordBands({ business, notices }: Props) {
  return (
    <>
      <DoNotContactBand business={business}>
        {notices.map((Notice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rooms never change their order
          <Notice key={index} business={business} />
        ))}
      </DoNotContactBand>
      {business.status !== 'active' && (
        <section className={classes.band} aria-label="Record status">
          <IconArchive size={18} aria-hidden />
          <p>
            {business.erasedAt === null ? (
              <>
                <b>{business.status === 'merged' ? 'Merged.' : 'Inactive.'}</b> You can still read this record, but
                nobody works on it any more.{' '}
              </>
            ) : (
              <>
                <b>Erased</b> on <DateTime at={business.erasedAt} as="dateTime" />. The content of this record was
                deleted. The audit log still shows its events.{' '}
              </>
            )}
            {business.mergedInto !== null && (
              <Link to="/prospects/$businessId" params={{ businessId: business.mergedInto }}>
                Open surviving record
              </Link>
            )}
          </p>
        </section>
      )}
      <ReadOnlyBand />
    </>
  )
}

/** Explains why there are no buttons to a person who may not change records. */
function ReadOnlyBand() {
  const { role, tenant } = useSession()
  const canWrite = useCan('businesses.write')
  if (canWrite) return null
  return (
    <section className={classes.band} aria-label="Your role">
      <IconLock size={18} aria-hidden />
      <p>
        Your role in <Name of={tenant.name} /> is {role}: you can view this record, but not change it.
      </p>
    </section>
  )
}
