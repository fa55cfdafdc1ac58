import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Business } from '@prospect/api-client'
import { editBusiness } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isProblem, isUnanswered, sentenceOf } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCanWork } from '../../../ui/api/session.ts'
import { InPlace } from '../../../ui/fields/in-place.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { showUndo } from '../../../ui/forms/undo-notice.tsx'
import { NotLoaded } from '../../../ui/layout/not-loaded.tsx'
import { assigneesQuery, usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import { recordKey, refreshRecord } from '../../../ui/prospects/record-keys.ts'
import { factsQuery } from '../../../ui/prospects/record-queries.ts'
import { evidenceForm } from '../../../ui/rooms/record-forms.ts'
import { useRecordPage } from '../../../ui/rooms/record-page.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { FieldEditor } from '../cells/field-editor.tsx'
import { FactRow } from './fact-row.tsx'
import classes from './overview.module.css'
import { type OverviewRow, overviewGroups } from './overview-rows.ts'

export function Overview({ business }: { business: Business }) {
  const page = useRecordPage()
  const canEdit = useCanWork('businesses.write', business)
  const addEvidence = ({ field, value }: OverviewRow) => value !== null && page.openForm(evidenceForm, { field, value })
  const canAddEvidence = useCanWork('evidence.write', business)
  const facts = useQuery(factsQuery(business.id))
  const [showsEmpty, setShowsEmpty] = useState(false)
  // A failed request is not "no evidence", so an error is shown. Loaded facts stay after a failed refresh.
  if (!facts.data) return <NotLoaded read={facts} lines={10} what="the facts" />
  const groups = overviewGroups(business, facts.data)
  const emptyCount = groups.flatMap(({ rows }) => rows).filter(({ value }) => value === null).length
  const isShown = ({ value }: OverviewRow) => showsEmpty || value !== null
  return (
    <div className={classes.overview}>
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <dl>
            {group.rows.filter(isShown).map((row) => (
              <FactRow
                key={row.key}
                row={row}
                business={business}
                canEdit={canEdit}
                addEvidence={canAddEvidence ? addEvidence : null}
              />
            ))}
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
          {emptyCount === 1 ? '1 empty field' : `${emptyCount} empty fields`}
        </Button>
      )}
      <section aria-label="Pipeline and assignee">
        <h2>Work</h2>
        <dl>
          <div className={classes.row}>
            <dt>Assignee</dt>
            <dd className={classes.value}>
              {canEdit ? <AssigneeField business={business} /> : <Name of={business.assignee?.name ?? 'Unassigned'} />}
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

/** Assignee of the record. A change appears immediately and can be undone; if the server rejects it, the stored value returns with a message. */
function AssigneeField({ business }: { business: Business }) {
  const people = usePeopleOptions(business.assignee)
  const queryClient = useQueryClient()
  const key = recordKey(business.id)

  const assign = useMutation({
    // Errors are shown here, because Undo can also run from a notification after this field is unmounted.
    meta: { isTold: true },
    mutationFn: ({ version, to }: { version: number; to: string | null; isUndo?: boolean }) =>
      dataOf(editBusiness({ path: { businessId: business.id }, body: { assigneeId: to }, ...ifMatch(version) })),
    onMutate: async ({ to }) => {
      await queryClient.cancelQueries({ queryKey: key, exact: true })
      const before = queryClient.getQueryData(key)
      // Use the stored name: the menu's label is already escaped and would be escaped twice.
      const assignee = queryClient.getQueryData(assigneesQuery.queryKey)?.find(({ id }) => id === to) ?? null
      queryClient.setQueryData(key, (now) => now && { ...now, assignee })
      return { before }
    },
    onSuccess: (saved, { isUndo }, { before }) => {
      queryClient.setQueryData(key, saved)
      void refreshRecord(queryClient, business.id)
      if (isUndo) return
      showUndo(
        `assigned-${saved.id}-${saved.version}`,
        saved.assignee === null ? 'Assignee removed' : `Assigned to ${nameText(saved.assignee.name)}`,
        () => assign.mutate({ version: saved.version, to: before?.assignee?.id ?? null, isUndo: true }),
      )
    },
    onError: (error, _, context) => {
      if (context?.before !== undefined) queryClient.setQueryData(key, context.before)
      const stale = isProblem(error, 'version_conflict')
      void refreshRecord(queryClient, business.id)
      notifications.show({
        color: 'red',
        title: `${isUnanswered(error) ? 'May not be' : 'Not'} assigned: ${nameText(business.name)}`,
        autoClose: false,
        message: stale
          ? 'Someone else changed this record first. Check the current values and choose again.'
          : sentenceOf(error),
      })
    },
  })

  return (
    <Select
      aria-label="Assignee"
      placeholder="Nobody"
      size="xs"
      data={people}
      searchable
      clearable
      leavesOnChoice
      value={business.assignee?.id ?? null}
      // The next change needs the version that this one creates.
      readOnly={assign.isPending}
      onChange={(to) => assign.mutate({ version: business.version, to })}
      className={classes.assignee}
    />
  )
}
