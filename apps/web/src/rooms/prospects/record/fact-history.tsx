import { ActionIcon, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Business } from '@prospect/api-client'
import { IconHistory } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { useCan } from '../../../ui/api/session.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { Origin } from '../../../ui/prospects/origin.tsx'
import { useRecordPage } from '../../../ui/rooms/record-page.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { phoneText } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { contactField, isContactField, isEditable, textField } from '../cells/edited-fields.ts'
import { useSaveEdit } from '../cells/use-save-edit.tsx'
import { factEventsQuery } from './fact-history.queries.ts'
import { earlierValues, mergedValues } from './fact-history.ts'
import classes from './overview.module.css'
import type { OverviewRow } from './overview-rows.ts'
import { emptyRow } from './prospect-form.ts'

type ButtonProps = { label: string; isOpen: boolean; toggle: () => void }

/** Opens the earlier values of a fact. */
export function HistoryButton({ label, isOpen, toggle }: ButtonProps) {
  return (
    <ActionIcon
      size={24}
      aria-label={`Earlier values of ${label.toLowerCase()}`}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      <IconHistory size={14} aria-hidden />
    </ActionIcon>
  )
}

type Props = { row: OverviewRow; business: Business; canEdit: boolean }

/** Earlier values of a fact, with person and time, and the values of both records of a merge. Each can be put back. */
export function FactHistory({ row, business, canEdit }: Props) {
  const page = useRecordPage()
  const read = useQuery(factEventsQuery(business.id, useCan('matching.read')))
  if (read.data === undefined) return <NotLoaded read={read} what="the earlier values" lines={2} />
  const { events, merges, isComplete } = read.data
  const merged = mergedValues(merges, row.field)
  // A merge shows the values of both records; its event on the record that was kept says no more.
  const isOfMerge = (until: string) => merged.some(({ at }) => at === until)
  const earlier = earlierValues(events, row.field).filter(({ until }) => !isOfMerge(until))
  const isListed = (value: string) => {
    if (!isContactField(row.name)) return value === row.value
    return business[contactField(row.name).list].some((one) => one.value === value)
  }
  const putBack = (value: string, label: string | null = null, region: string | null = null) =>
    canEdit && isEditable(business, row.name) && !isListed(value) && value !== WITHHELD ? (
      <PutBack row={row} business={business} value={value} label={label} region={region} />
    ) : null
  return (
    <>
      {earlier.length + merged.length === 0 && <p>No earlier values.</p>}
      <ul className={classes.evidence}>
        {merged.map(({ mergeId, at, by, reason, isChosen, standing, other }) => (
          <li key={mergeId}>
            <Name of={phoneText(standing.value)} /> in <Name of={standing.of} />, <Name of={phoneText(other.value)} />{' '}
            in <Name of={other.of} />
            {putBack(other.value)}
            {putBack(standing.value)}
            <div>
              Merged by <Name of={by.name} />, <DateTime at={at} as="dateTime" />.{' '}
              {isChosen ? 'The first value was chosen' : 'The first value is from the record that was kept'}:{' '}
              <GivenReason of={reason} isQuoted />
            </div>
          </li>
        ))}
        {earlier.map(({ id, value, label, region, until, by, businessId }) => (
          <li key={id}>
            <Name of={phoneText(value)} />
            {label !== null && (
              <>
                {' '}
                (<Name of={label} />)
              </>
            )}
            {putBack(value, label, region)}
            <div>
              Until <DateTime at={until} as="dateTime" />, changed by <Name of={by.name} />{' '}
              <Origin of={businessId} on={business.id} />
            </div>
          </li>
        ))}
      </ul>
      {!isComplete && (
        <Button variant="subtle" size="compact-xs" onClick={() => page.openTab('activity')}>
          Older changes are in Activity
        </Button>
      )}
    </>
  )
}

/** Text that the API returns for a value that the role of the reader does not include. */
const WITHHELD = '•••'

type PutBackProps = Omit<Props, 'canEdit'> & { value: string; label: string | null; region: string | null }

/** Makes an earlier value the current one by a new edit, which can be undone. A contact value is added to those of the record. */
function PutBack({ row: { name }, business, value, label, region }: PutBackProps) {
  const save = useSaveEdit(business)
  const field = textField(name)
  const put = useMutation({
    meta: { isTold: true },
    mutationFn: () => {
      if (!isContactField(name)) return save(field.label, (values) => field.write(values, value), 'put back')
      const { list } = contactField(name)
      const next = contactField(`${list}.${business[list].length}`)
      const added = { ...emptyRow(), value, label: label ?? '', region: region ?? '' }
      return save(next.label, (values) => next.write(values, added), 'put back')
    },
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: `Not put back: ${field.label}`,
        message: sentenceOf(error),
        autoClose: false,
      }),
  })
  if (isContactField(name) && business[contactField(name).list].length >= inputLimits.contactCount) return null
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      aria-label={`Put back ${nameText(phoneText(value))}`}
      loading={put.isPending}
      onClick={() => put.mutate()}
    >
      Put back
    </Button>
  )
}
