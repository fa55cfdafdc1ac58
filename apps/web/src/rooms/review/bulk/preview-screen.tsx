import { Button } from '@mantine/core'
import type { BulkPreview } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { missingReason, ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import { CancelButton } from '../../../ui/forms/cancel-button.tsx'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../../ui/layout/facts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { FixedTable } from '../../../ui/lists/fixed-table.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { localSentence } from '../../../ui/text/api-sentence.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../review.module.css'
import { bulkPreviewQuery, confirmBulk, usePeopleNames } from './bulk.queries.ts'
import { bulkTitle, codeWords, needsReason, prospectCount } from './bulk-words.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Reason of a bulk action that was typed before its preview opened. */
    bulkReason?: string
  }
}

/** Preview of a bulk action on a frozen selection, with the confirmation. */
export function PreviewScreen() {
  const { previewId } = useParams({ from: '/desk/review/previews/$previewId' })
  const preview = useQuery(bulkPreviewQuery(previewId))
  return (
    <RecordBody record={preview} what="this preview" lines={8}>
      {(loaded) => <Preview key={previewId} preview={loaded} />}
    </RecordBody>
  )
}

function Preview({ preview }: { preview: BulkPreview }) {
  const people = usePeopleNames()
  const { selection, wouldChange, unchanged, refused, usedBy } = preview
  return (
    <Page
      width="text"
      title={`Preview: ${bulkTitle(preview, people)}`}
      lead={`${prospectCount(selection.size)} selected, at most ${formatNumber(selection.max)}. Nothing is changed yet.`}
      back={<BackLink to="/review/bulks">Bulk actions</BackLink>}
    >
      <div className={classes.stack}>
        <SelectionFacts selection={selection} />
        <FixedTable className={classes.table}>
          <caption>What would happen</caption>
          <thead>
            <tr>
              <th scope="col">Outcome</th>
              <th scope="col" data-number>
                Prospects
              </th>
              <th scope="col">Examples</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Would change</th>
              <td data-number>{formatNumber(wouldChange)}</td>
              <td />
            </tr>
            <tr>
              <th scope="row">No change needed</th>
              <td data-number>{formatNumber(unchanged)}</td>
              <td />
            </tr>
            {refused.map(({ code, count, examples }) => (
              <tr key={code}>
                <th scope="row">Refused: {codeWords[code].toLowerCase()}</th>
                <td data-number>{formatNumber(count)}</td>
                <td>
                  {examples.map(({ id, name }, index) => (
                    <span key={id}>
                      {index > 0 && ', '}
                      <Link to="/prospects/$businessId" params={{ businessId: id }}>
                        <Name of={name} />
                      </Link>
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </FixedTable>
        {usedBy === null ? (
          <Confirmation preview={preview} />
        ) : (
          <p>
            This preview was confirmed.{' '}
            <Link to="/review/bulks/$bulkId" params={{ bulkId: usedBy }}>
              Open the bulk action
            </Link>
          </p>
        )}
      </div>
    </Page>
  )
}

/** Size, time and filter of the frozen selection. */
export function SelectionFacts({ selection }: { selection: BulkPreview['selection'] }) {
  const { size, asOf, excluded, predicate } = selection
  return (
    <Facts>
      <Fact label="Selection">
        {prospectCount(size)}, selected <DateTime at={asOf} as="dateTime" />
        {excluded > 0 && `, ${formatNumber(excluded)} excluded`}
      </Fact>
      <Fact label="Selected">{predicate === null ? 'Individually' : localSentence(predicate.words)}</Fact>
    </Facts>
  )
}

function Confirmation({ preview }: { preview: BulkPreview }) {
  const navigate = useNavigate()
  const { id, action, wouldChange, expiresAt } = preview
  const isNeeded = needsReason(action)
  const typed = useLocation({ select: ({ state }) => state.bulkReason ?? '' })
  const save = useSaveForm({
    initial: { reason: typed },
    validate: (values) =>
      isNeeded ? missingReason(values, 'Enter a reason. The reason is stored with each change.') : {},
    send: ({ reason }, { key }) => confirmBulk(preview, reason, key),
    onSaved: ({ id: bulkId }) => void navigate({ to: '/review/bulks/$bulkId', params: { bulkId }, replace: true }),
    what: 'the bulk action',
    isAction: true,
    draft: { name: `bulk-${id}` },
  })
  return (
    <SaveForm
      save={save}
      actions={
        <div className={classes.buttons}>
          <Button type="submit" loading={save.isSaving} disabled={wouldChange === 0}>
            Confirm: change {prospectCount(wouldChange)}
          </Button>
          <CancelButton
            save={save}
            close={() => void navigate({ to: '/review/bulks' })}
            reopen={() => void navigate({ to: '/review/previews/$previewId', params: { previewId: id } })}
            disabled={save.isSaving}
          />
        </div>
      }
    >
      <ReasonField
        form={save.form}
        restored={save.restored}
        description="Stored with the bulk action. Each record is checked again when it is changed"
        withAsterisk={isNeeded}
        aria-required={isNeeded}
        data-first
      />
      <p>
        The preview is valid until <DateTime at={expiresAt} as="dateTime" />.
      </p>
    </SaveForm>
  )
}
