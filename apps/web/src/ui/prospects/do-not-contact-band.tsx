import type { Business } from '@prospect/api-client'
import { IconBan } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { By } from '../layout/facts.tsx'
import { GivenReason } from '../text/given-reason.tsx'
import classes from './band.module.css'

type Props = {
  business: Pick<Business, 'doNotContact' | 'valuesHidden'>
  /** What the block means on this screen, and why the record is blocked. */
  children?: ReactNode
}

/** The block of a prospect with its reason, above the content that concerns it. Renders nothing for a prospect that may be contacted. */
export function DoNotContactBand({ business: { doNotContact, valuesHidden }, children }: Props) {
  if (doNotContact === null) return null
  return (
    <section className={classes.band} data-tone="danger" aria-label="Do not contact">
      <IconBan size={18} aria-hidden />
      <p>
        <b>Do not contact.</b> <GivenReason of={doNotContact.reason} />{' '}
        <small>
          Marked by <By person={doNotContact.by} at={doNotContact.at} />
        </small>
        {valuesHidden && ' Your role cannot see the addresses and numbers of this prospect.'}
        {children}
      </p>
    </section>
  )
}
