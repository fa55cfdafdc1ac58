import { Button } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCanWork } from '../../../ui/api/session.ts'
import { InPlace } from '../../../ui/fields/in-place.tsx'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { factsQuery } from '../../../ui/prospects/record-queries.ts'
import { evidenceForm } from '../../../ui/rooms/record-forms.ts'
import { useRecordPage } from '../../../ui/rooms/record-page.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { isContactField, isEditable } from '../cells/edited-fields.ts'
import { FieldEditor } from '../cells/field-editor.tsx'
import { AddRow, FactRow } from './fact-row.tsx'
import classes from './overview.module.css'
import { type OverviewRow, overviewGroups } from './overview-rows.ts'

export function Overview({ business }: { business: Business }) {
  const page = useRecordPage()
  const canEdit = useCanWork('businesses.write', business)
  const addEvidence = ({ field, value }: OverviewRow) => value !== null && page.openForm(evidenceForm, { field, value })
  const canAddEvidence = useCanWork('evidence.write', business)
  const facts = useQuery(factsQuery(business.id))
  const [showsEmpty, setShowsEmpty] = useState(false)
  const overview = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!showsEmpty) return
    const first = overview.current?.querySelector<HTMLElement>('[data-empty]')
    // The last button edits the value; that of the earlier values stands before it.
    const button = [...(first?.querySelectorAll('button') ?? [])].at(-1)
    button?.focus({ preventScroll: true })
    first?.scrollIntoView({ block: 'center' })
  }, [showsEmpty])
  // A failed request is not "no evidence", so an error is shown. Loaded facts stay after a failed refresh.
  if (!facts.data) return <NotLoaded read={facts} lines={10} what="the facts" />
  const groups = overviewGroups(business, facts.data)
  /** True for a list of contact values to which this person can add the first one. It is always shown. */
  const isAdded = (row: OverviewRow) =>
    row.value === null && isContactField(row.name) && canEdit && isEditable(business, row.name)
  const isFolded = (row: OverviewRow) => row.value === null && !isAdded(row)
  const emptyCount = groups.flatMap(({ rows }) => rows).filter(isFolded).length
  return (
    <div ref={overview} className={classes.overview}>
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <dl>
            {group.rows
              .filter((row) => showsEmpty || !isFolded(row))
              .flatMap((row) => [
                !isAdded(row) && (
                  <FactRow
                    key={row.key}
                    row={row}
                    business={business}
                    canEdit={canEdit}
                    addEvidence={canAddEvidence ? addEvidence : null}
                  />
                ),
                // One place for each list, so that the focus returns to it after a value was added.
                canEdit && row.adds !== null && isEditable(business, row.adds) && (
                  <AddRow
                    key={`${row.field} adds`}
                    label={row.label}
                    field={row.adds}
                    business={business}
                    {...(isAdded(row) && { first: row })}
                  />
                ),
              ])}
          </dl>
        </section>
      ))}
      {emptyCount > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.fold}
          aria-expanded={showsEmpty}
          onClick={() => setShowsEmpty(!showsEmpty)}
        >
          {showsEmpty ? 'Hide' : 'Show'} {countWords(emptyCount, 'empty field', 'empty fields')}
        </Button>
      )}
      <section aria-label="Pipeline and assignee">
        <h2>Work</h2>
        <dl>
          <div className={classes.row}>
            <dt>Assignee</dt>
            <dd className={classes.value}>
              <InPlace
                label="Assignee"
                canEdit={canEdit}
                editor={(close) => <FieldEditor business={business} field="assigneeId" close={close} />}
              >
                <Name of={business.assignee?.name ?? 'Unassigned'} />
              </InPlace>
            </dd>
          </div>
          <div className={classes.row}>
            <dt>Tags</dt>
            <dd className={classes.value}>
              <Tags business={business} canEdit={canEdit} />
            </dd>
          </div>
          <div className={classes.row}>
            <dt>Created</dt>
            <dd className={classes.value}>
              <span>
                <DateTime at={business.createdAt} as="dateTime" /> by <Name of={business.createdBy.name} />
              </span>
            </dd>
          </div>
          <div className={classes.row}>
            <dt>Updated</dt>
            <dd className={classes.value}>
              <DateTime at={business.updatedAt} as="dateTime" />
            </dd>
          </div>
        </dl>
      </section>
    </div>
  )
}

function Tags({ business, canEdit }: { business: Business; canEdit: boolean }) {
  return (
    <InPlace
      label="Tags"
      canEdit={canEdit}
      editor={(close) => <FieldEditor business={business} field="tags" close={close} />}
    >
      {business.tags.length === 0 && <span className={classes.unknown}>None</span>}
      {business.tags.map((tag) => (
        <Link key={tag} to="/prospects" search={{ tag }} className={classes.tag}>
          <Name of={tag} />
        </Link>
      ))}
    </InPlace>
  )
}
