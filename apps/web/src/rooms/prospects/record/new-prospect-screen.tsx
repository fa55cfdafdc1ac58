import { Alert, Checkbox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addEvidence, addNote, addPerson, createBusiness } from '@prospect/api-client'
import { IconBan } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useCanGoBack, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { isOtherButton } from '../../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { PageHead } from '../../../ui/layout/page.tsx'
import { NoPermission } from '../../../ui/layout/states.tsx'
import { refreshRecord } from '../../../ui/prospects/record-keys.ts'
import { useRecordedRows } from '../../../ui/prospects/recorded-rows.ts'
import { type RowPrefill, rowEvidence, thisPage } from '../../../ui/prospects/row-prefill.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { parseValues } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { DuplicateHint } from './duplicate-hint.tsx'
import { recordFollowUp } from './first-follow-up.ts'
import { leftEmptyWords } from './left-empty-words.ts'
import { ProspectFields } from './prospect-fields.tsx'
import { createBody, emptyValues, inputOf, isUnchanged, missingIn, type ProspectFormValues } from './prospect-form.ts'
import classes from './record-form.module.css'
import { focusName, recordFormKeys, SaveBar } from './save-bar.tsx'

export function NewProspectScreen() {
  const prefill = useLocation({ select: ({ state }) => state.prefill ?? null })
  if (!useCan('businesses.write')) return <NoPermission isPage to="add prospects" />
  return <NewBusinessForms prefill={prefill} />
}

/** Shows a new form after each created record, for a person who enters several. */
function NewBusinessForms({ prefill }: { prefill: RowPrefill | null }) {
  const [created, setCreated] = useState(0)
  return (
    <NewBusinessForm
      key={`${created} ${prefill?.source.reference ?? ''}`}
      prefill={prefill}
      next={() => setCreated(created + 1)}
    />
  )
}

/** Work through the rows of a file. `created` opens the next row. */
type RowWork = { side: ReactNode; created: () => void; leave: () => void }

/** The form for a row of a file, with the row at its side. */
export function RowProspectForm({ prefill, ...work }: RowWork & { prefill: RowPrefill }) {
  return <NewBusinessForm key={prefill.source.reference} prefill={prefill} next={work.created} work={work} />
}

type FormProps = { prefill: RowPrefill | null; next: () => void; work?: RowWork }

function NewBusinessForm({ prefill, next, work }: FormProps) {
  // A form that is prefilled from a CSV row has a draft of its own, so that it does not replace another draft.
  const name = prefill === null ? 'new-business' : `new-business-${prefill.source.reference}`
  // The new record is assigned to its creator, who can clear the assignee.
  const { user } = useSession()
  const [firstValues] = useState(() => ({
    ...((prefill === null ? null : parseValues(prefill.values)) ?? emptyValues()),
    ...(work === undefined && { assigneeId: user.id }),
  }))
  const unchanged = useRef(firstValues)
  const draft = useDraft<ProspectFormValues>(name, parseValues, {
    gone: () => {
      save.form.setValues(unchanged.current)
      save.clearRefusal()
    },
    returned: (values) => save.form.setValues(values),
  })
  const [initial] = useState(draft.restored?.value ?? firstValues)
  const [isRecorded, setIsRecorded] = useState(true)
  const [isNoted, setIsNoted] = useState(true)
  const mayAddPeople = useCan('people.write')
  const person = mayAddPeople ? (prefill?.person ?? null) : null
  const [isPersonAdded, setIsPersonAdded] = useState(true)
  // An unclear cell of the file counts as do not contact until the person decides.
  const [isBlocked, setIsBlocked] = useState(isSaid(prefill))
  const bodyOf = (values: ProspectFormValues) => ({
    ...createBody(values),
    ...(isBlocked &&
      prefill !== null && { doNotContact: { reason: `Marked in the CSV file: ${prefill.source.reference}` } }),
  })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const goBack = useLeave()
  const leave = work?.leave ?? goBack
  const { add } = useRecordedRows()
  const save = useSaveForm({
    initial,
    validate: missingIn,
    attempts: draft.attempts,
    payloadOf: bodyOf,
    onChange: (values) => (isUnchanged(unchanged.current, values) ? draft.clear() : draft.keep(values)),
    send: (values, { key }) => {
      draft.keepSent(values)
      return dataOf(createBusiness({ body: bodyOf(values), ...withKey(key) }))
    },
    onSaved: async (business, sent, { at, isMounted, submitter }) => {
      draft.clear()
      void refreshRecord(queryClient, business.id)
      notifications.show({ message: `${nameText(business.name)} created${leftEmptyWords(business)}` })
      if (prefill !== null) {
        add({ reference: prefill.source.reference, businessId: business.id, isNew: true })
        if (person !== null && isPersonAdded) await recordPerson(business.id, person, sent)
        if (prefill.followUpOn !== undefined && !isBlocked) await recordFollowUp(business, prefill.followUpOn)
        // Every prospect of a worked file names the file, so that the filter by source finds it.
        if (isRecorded || work !== undefined) await recordSource(business.id, prefill, at, isRecorded)
        if (isNoted && prefill.note !== '') await recordNote(business.id, prefill.note)
      }
      if (!isMounted()) return
      if (work !== undefined || isOtherButton(submitter)) return next()
      // Return to the CSV row from which the form was opened.
      if (prefill?.page === thisPage) return leave()
      await navigate({ to: '/prospects/$businessId', params: { businessId: business.id }, replace: true })
    },
    fieldOf: inputOf,
    what: (values) => nameText(values.name || values.tradingName),
  })
  const { form, values, isSaving } = save
  const forAllRows = work === undefined || prefill === null ? null : parseValues(prefill.values)
  /** Applies new tags and a new assignee of all rows to the open row. Tags and an assignee that the person chose for this row remain. */
  const followAllRows = useEffectEvent(() => {
    const before = unchanged.current
    if (forAllRows === null) return
    const { tags, assigneeId } = forAllRows
    unchanged.current = { ...before, tags, assigneeId }
    const mine = form.getValues()
    const own = mine.tags.filter((tag) => tags.includes(tag) || !before.tags.includes(tag))
    const added = tags.filter((tag) => !before.tags.includes(tag))
    save.set({
      tags: [...new Set([...own, ...added])],
      assigneeId: mine.assigneeId === before.assigneeId ? assigneeId : mine.assigneeId,
    })
  })
  const forAllText = JSON.stringify([forAllRows?.tags, forAllRows?.assigneeId])
  const followed = useRef(forAllText)
  useEffect(() => {
    if (followed.current === forAllText) return
    followed.current = forAllText
    followAllRows()
  }, [forAllText])

  const cancel = () => {
    // During a save only close the form: a success clears the draft, and a failure keeps it.
    if (!isSaving)
      draft.discard(() => {
        if (work === undefined) void navigate({ to: '/prospects/new', state: prefill === null ? {} : { prefill } })
        else void navigate({ to: '/sources/csv-preview/rows' })
      })
    leave()
  }

  return (
    <SaveForm
      save={save}
      onKeyDown={recordFormKeys}
      className={classes.form}
      failure={null}
      actions={
        <SaveBar
          label={work === undefined ? 'Create prospect' : 'Create and open next row'}
          {...(prefill === null && { otherLabel: 'Create and add another' })}
          isSaving={isSaving}
          failure={save.failure}
          look={<LookFor name={values.name || values.tradingName} />}
          cancel={cancel}
        />
      }
    >
      {work === undefined && (
        <div className={classes.pageHead}>
          <PageHead title="New prospect" />
        </div>
      )}
      <div className={classes.split} data-work={work !== undefined}>
        {work !== undefined && (
          <aside className={classes.aside} aria-label="Row of the file">
            {work.side}
            <DuplicateHint values={values} isHeld={isSaving || save.isSaved} />
          </aside>
        )}
        <div className={classes.body}>
          {draft.restored !== null && (
            <DraftNotice
              savedAt={draft.restored.savedAt}
              discard={() => {
                form.setValues(unchanged.current)
                save.clearRefusal()
                draft.clear()
                focusName(save)
              }}
            />
          )}
          {prefill !== null && <RowMark prefill={prefill} />}
          {prefill !== null && (
            <Alert variant="outline" title={`From ${prefill.source.place}`} mb="md">
              Check each value before saving. Nobody has verified the values of the file.
              <Checkbox
                mt="xs"
                label="Also store the row as evidence, with the file as the source"
                description={work !== undefined && 'Otherwise only the file name and the row number are stored.'}
                checked={isRecorded}
                onChange={(event) => setIsRecorded(event.currentTarget.checked)}
              />
              {person !== null && (
                <Checkbox
                  mt="xs"
                  label="Also add the person from the row"
                  description={[person.name, person.role]
                    .filter((text) => text !== '')
                    .map(nameText)
                    .join(', ')}
                  checked={isPersonAdded}
                  onChange={(event) => setIsPersonAdded(event.currentTarget.checked)}
                />
              )}
              {prefill.note !== '' && (
                <Checkbox
                  mt="xs"
                  label="Also add the note from the row"
                  description={<span className={classes.rowNote}>{nameText(prefill.note)}</span>}
                  checked={isNoted}
                  onChange={(event) => setIsNoted(event.currentTarget.checked)}
                />
              )}
              {isSaid(prefill) && (
                <Checkbox
                  mt="xs"
                  label="Mark as do not contact"
                  description={
                    prefill.said === 'yes'
                      ? 'The file marks this row. Only an authorized person can lift the block.'
                      : 'The file is unclear about this row. Clear this box only if the prospect may be contacted.'
                  }
                  checked={isBlocked}
                  onChange={(event) => setIsBlocked(event.currentTarget.checked)}
                />
              )}
            </Alert>
          )}
          <ProspectFields
            form={form}
            assignee={user}
            restoredAt={draft.restored?.savedAt ?? null}
            isNew
            startsElsewhere={work !== undefined}
          />
        </div>
        {work === undefined && (
          <aside className={classes.aside} aria-label="Possible duplicates">
            <DuplicateHint values={values} isHeld={isSaving || save.isSaved} />
          </aside>
        )}
      </div>
    </SaveForm>
  )
}

/** The do-not-contact mark of the CSV row. The form also shows which of its values is on the list. */
function RowMark({ prefill: { doNotContact, said, source } }: { prefill: RowPrefill }) {
  if (doNotContact === null && said === 'unclear')
    return (
      <Alert variant="outline" color="yellow" mb="md">
        The file does not say clearly whether {source.place} is marked do not contact.
      </Alert>
    )
  if (doNotContact === null)
    return (
      <Alert variant="outline" color="yellow" mb="md">
        The preview could not check whether {source.place} is marked do not contact.
      </Alert>
    )
  if (!doNotContact) return null
  return (
    <Alert color="red" mb="md" icon={<IconBan size={18} aria-hidden />} title="Do not contact">
      {said === 'yes'
        ? `The file marks ${source.place}.`
        : `The preview marked ${source.place}: a value in the row is on the do-not-contact list, or belongs to a prospect that is marked do not contact.`}
    </Alert>
  )
}

/** Link that searches for the name. It opens a new tab, so that the form remains open. */
function LookFor({ name }: { name: string }) {
  return (
    <>
      {' '}
      <Link to="/prospects" search={{ q: name.trim() }} target="_blank">
        Look for “<Name of={name.trim()} />”
      </Link>
    </>
  )
}

/** Records the CSV row as evidence. If this fails, the record exists anyway, so the person is notified. */
async function recordSource(
  businessId: string,
  { source }: RowPrefill,
  at: string,
  hasContent: boolean,
): Promise<void> {
  try {
    const stated = hasContent ? source : { ...source, observation: `Created from ${source.place}.` }
    const body = rowEvidence(stated, 'low', at)
    await dataOf(addEvidence({ path: { businessId }, body, ...withKey(`csv-row-${businessId}`) }))
  } catch (error) {
    notifications.show({ color: 'red', message: `Could not store the row as evidence. ${sentenceOf(error)}` })
  }
}

/** True if the file says do not contact, or says it unclearly. */
function isSaid(prefill: RowPrefill | null): boolean {
  return prefill?.said === 'yes' || prefill?.said === 'unclear'
}

/** Adds the note of the CSV row. If this fails, the record exists anyway, so the person is notified. */
async function recordNote(businessId: string, text: string): Promise<void> {
  try {
    await dataOf(addNote({ path: { businessId }, body: { text }, ...withKey(`csv-note-${businessId}`) }))
  } catch (error) {
    notifications.show({ color: 'red', message: `Could not add the note from the row. ${sentenceOf(error)}` })
  }
}

/** Maximum number of addresses, and of numbers, of a person. */
const VALUES_OF_PERSON = 5

/**
 * Adds the contact person of the CSV row with the addresses and numbers that have this person as their label. If this fails, the record exists anyway, so
 * the person is notified.
 */
async function recordPerson(
  businessId: string,
  { name, role }: NonNullable<RowPrefill['person']>,
  { emails, phones }: ProspectFormValues,
): Promise<void> {
  const own = (rows: ProspectFormValues['emails']) =>
    rows.filter(({ value, label }) => value.trim() !== '' && label.trim() === name.trim()).slice(0, VALUES_OF_PERSON)
  const body = {
    name,
    role: role === '' ? null : role,
    emails: own(emails).map(({ value }) => ({ value })),
    phones: own(phones).map(({ value, region }) => ({ value, region: region === '' ? null : region })),
  }
  try {
    await dataOf(addPerson({ path: { businessId }, body, ...withKey(`csv-person-${businessId}`) }))
  } catch (error) {
    notifications.show({ color: 'red', message: `Could not add the person from the row. ${sentenceOf(error)}` })
  }
}

/** Returns the function that leads back to the previous page. */
function useLeave(): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => (canGoBack ? router.history.back() : void router.navigate({ to: '/prospects' }))
}
