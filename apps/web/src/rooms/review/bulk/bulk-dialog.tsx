import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type BulkPreview, type PreviewBulkReviewData, previewBulkReview, previewUndo } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isUnanswered, sentenceOf } from '../../../ui/api/api-problem.ts'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { newKey } from '../../../ui/api/idempotency.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../../ui/dialogs/reason-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { isSame } from '../../../ui/forms/changed-fields.ts'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { showUndo } from '../../../ui/forms/undo-notice.tsx'
import { useIsMounted } from '../../../ui/forms/use-is-mounted.ts'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { type ReasonCode, reasonOptions } from '../decisions/reject-dialog.tsx'
import { refreshAfterBulk } from '../review.queries.ts'
import { bulkQuery, confirmBulk, refreshBulks, whenBulkEnded } from './bulk.queries.ts'
import { actionWords, type BulkAction, needsReason, prospectCount } from './bulk-words.ts'
import { TagField } from './tag-field.tsx'

type Body = PreviewBulkReviewData['body']
export type BulkSelection = Body['selection']

type Props = {
  action: BulkAction
  selection: BulkSelection
  /** The selection in words: 'the 12 selected prospects'. */
  words: string
  close: () => void
  reopen: () => void
}

type Values = { reasonCode: ReasonCode | null; assigneeId: string | null; tag: string; reason: string }

const blank: Values = { reasonCode: null, assigneeId: null, tag: '', reason: '' }

/** Largest selection that is carried out in the dialog. A larger one has a page for its preview and for its result. */
const DIRECT = 50

/** Time for which a new preview cannot be confirmed, so that an Enter pressed twice does not confirm what nobody has read. */
const READ_MS = 500

/** A preview with the request that it answers. */
type Previewed = { preview: BulkPreview; body: Body }

/** Result of the form: a preview, or the bulk action of a preview that the person confirmed. */
type Made = Previewed | { bulkId: string }

/**
 * Dialog for the inputs of a bulk action. It freezes the selection on the server. The preview of a small selection without refusals is shown and
 * confirmed here, over its list, and the result has Undo. Every other preview opens on its page.
 */
export function BulkDialog({ action, selection, words, close, reopen }: Props) {
  const navigate = useNavigate()
  const people = usePeopleOptions()
  const [bulkId, setBulkId] = useState<string | null>(null)
  const [previewed, setPreviewed] = useState<Previewed | null>(null)
  const preview = previewed?.preview
  const title = `${actionWords[action]}: ${words}`
  const follow = useBulkResult(title, close)
  const { submit, isReadable } = useTimeToRead(preview?.id)
  const isDirect = 'ids' in selection && selection.ids.length <= DIRECT
  if (bulkId !== null) return <Running bulkId={bulkId} title={title} close={close} />
  return (
    <FormDialog<Values, Made>
      title={title}
      submitLabel={preview === undefined ? 'Preview' : `Apply to ${formatNumber(preview.wouldChange)}`}
      what={preview === undefined ? 'the preview' : 'the bulk action'}
      isAction
      isUndoable
      initial={blank}
      validate={(values) => missing(action, values, isDirect)}
      payloadOf={(values) => ({ action, selection, values })}
      send={async (values, { key }) => {
        const body = bodyOf(action, selection, values)
        if (preview === undefined) return { preview: await dataOf(previewBulkReview({ body, ...withKey(key) })), body }
        try {
          // The key is that of the preview, because a preview is used once.
          return { bulkId: (await confirmBulk(preview, values.reason, `bulk-${preview.id}`)).id }
        } catch (error) {
          // A refused preview cannot be confirmed again. Without an answer, the same one is sent again.
          if (!isUnanswered(error)) setPreviewed(null)
          throw error
        }
      }}
      onSaved={(made, { reason }, { isMounted }) => {
        if ('bulkId' in made) {
          setBulkId(made.bulkId)
          return follow(made.bulkId)
        }
        if (isDirect && made.preview.refused.length === 0) return setPreviewed(made)
        if (!isMounted()) return
        close()
        void navigate({
          to: '/review/previews/$previewId',
          params: { previewId: made.preview.id },
          state: { bulkReason: reason },
        })
      }}
      onChange={(values) => {
        if (!isSame(previewed?.body, bodyOf(action, selection, values))) setPreviewed(null)
      }}
      isDisabled={() => preview !== undefined && (preview.wouldChange === 0 || !isReadable)}
      submitRef={submit}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          {action === 'reject' && (
            <Select
              label="Reason"
              withAsterisk
              data={reasonOptions}
              data-autofocus
              {...form.getInputProps('reasonCode')}
            />
          )}
          {action === 'assign' && (
            <Select
              label="Assignee"
              placeholder="Nobody"
              data={people}
              searchable
              clearable
              data-autofocus
              {...form.getInputProps('assigneeId')}
            />
          )}
          {(action === 'add_tag' || action === 'remove_tag') && (
            <TagField
              label="Tag"
              withAsterisk
              maxLength={inputLimits.tag}
              data-autofocus
              {...form.getInputProps('tag')}
            />
          )}
          {isDirect && (
            <ReasonField
              form={form}
              restored={restored}
              label={action === 'reject' ? 'Explanation' : 'Reason'}
              description="Stored with the bulk action"
              withAsterisk={needsReason(action)}
              aria-required={needsReason(action)}
            />
          )}
          <Text size="sm" role="status">
            {preview === undefined
              ? 'The preview shows how many prospects would change. Nothing changes before you confirm.'
              : previewWords(preview)}
          </Text>
        </>
      )}
    </FormDialog>
  )
}

/** Formats as "12 of at most 2,000 selected: 10 will change, 2 need no change." */
function previewWords({ selection: { size, max }, wouldChange, unchanged }: BulkPreview): string {
  const [selected, most, changing, same] = [size, max, wouldChange, unchanged].map(formatNumber)
  return `${selected} of at most ${most} selected: ${changing} will change, ${same} need no change.`
}

/**
 * Disables the confirmation of a new preview for a moment, and longer while Enter is pressed. The button gets the focus when it can be used, unless
 * another control has it.
 */
function useTimeToRead(previewId: string | undefined) {
  const submit = useRef<HTMLButtonElement>(null)
  const [readable, setReadable] = useState<string | null>(null)
  const isReadable = previewId !== undefined && readable === previewId
  useEffect(() => {
    if (previewId === undefined) return
    const end = () => {
      document.removeEventListener('keydown', onKey, true)
      setReadable(previewId)
    }
    let timer = setTimeout(end, READ_MS)
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Enter') return
      clearTimeout(timer)
      timer = setTimeout(end, READ_MS)
    }
    document.addEventListener('keydown', onKey, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [previewId])
  useEffect(() => {
    const focused = document.activeElement
    // A person who works in a field again keeps the focus there.
    const isElsewhere = focused !== submit.current && focused?.matches('input, textarea, button') === true
    if (isReadable && !isElsewhere) submit.current?.focus()
  }, [isReadable])
  return { submit, isReadable }
}

/**
 * Returns a function that follows a bulk action to its end, also if the dialog is closed before. The selection of the list stays; Undo is offered for
 * what changed.
 */
function useBulkResult(title: string, close: () => void): (bulkId: string) => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const undo = useMutation({
    meta: { notDone: 'Undo' },
    mutationFn: async (bulkId: string) => {
      const preview = await dataOf(previewUndo({ path: { bulkId }, ...withKey(newKey()) }))
      if (preview.refused.length > 0) return { previewId: preview.id }
      await confirmBulk(preview, 'Undone in the list.', `bulk-${preview.id}`)
      return {}
    },
    onSuccess: ({ previewId }) => {
      if (previewId !== undefined) return navigate({ to: '/review/previews/$previewId', params: { previewId } })
      notifications.show({ message: 'Undone. The list shows the earlier values in a moment.' })
      return refreshBulks(queryClient)
    },
  })
  const showResult = (bulkId: string) => void navigate({ to: '/review/bulks/$bulkId', params: { bulkId } })
  return (bulkId) =>
    whenBulkEnded(queryClient, bulkId, (bulk) => {
      const isOpen = isMounted()
      // An open dialog shows why the result could not be read.
      if (bulk === null && isOpen) return
      void refreshAfterBulk(queryClient)
      if (isOpen) close()
      if (bulk === null || bulk.status !== 'done' || bulk.counts.refused > 0) {
        if (isOpen) return showResult(bulkId)
        return notifications.show({
          message: (
            <>
              {title}. {bulk === null ? 'The result could not be loaded.' : 'Not all prospects were changed.'}{' '}
              <button type="button" className="pp-link" onClick={() => showResult(bulkId)}>
                Show the result
              </button>
            </>
          ),
        })
      }
      const { changed } = bulk.counts
      if (changed === 0) return notifications.show({ message: `${title}. No change was needed.` })
      showUndo(`bulk-${bulkId}`, `${title}. ${prospectCount(changed)} changed.`, () => undo.mutate(bulkId))
    })
}

/** Shown while a bulk action runs. The person may close it before. */
function Running({ bulkId, title, close }: { bulkId: string; title: string; close: () => void }) {
  const bulk = useQuery({ ...bulkQuery(bulkId), refetchInterval: false })
  return (
    <Dialog title={title} onClose={close}>
      {bulk.isError ? (
        <p role="alert" className="pp-refusal">
          {sentenceOf(bulk.error)}
        </p>
      ) : (
        <p role="status">Working…</p>
      )}
    </Dialog>
  )
}

const missingWords = (action: BulkAction) =>
  `Enter ${action === 'reject' ? 'an explanation. The explanation' : 'a reason. The reason'} is stored with each change.`

type Missing = { reasonCode?: string; tag?: string; reason?: string }

function missing(action: BulkAction, values: Values, isDirect: boolean): Missing {
  return {
    ...valueMissing(action, values),
    ...(isDirect && needsReason(action) && missingReason(values, missingWords(action))),
  }
}

function valueMissing(action: BulkAction, { reasonCode, tag }: Pick<Values, 'reasonCode' | 'tag'>): Missing {
  if (action === 'reject' && reasonCode === null) return { reasonCode: 'Choose a reason.' }
  if ((action === 'add_tag' || action === 'remove_tag') && tag.trim() === '') return { tag: 'Enter a tag.' }
  return {}
}

function bodyOf(action: BulkAction, selection: BulkSelection, { reasonCode, assigneeId, tag }: Values): Body {
  switch (action) {
    case 'verify':
      return { action, selection }
    case 'reject':
      return { action, reasonCode: reasonCode ?? 'other', selection }
    case 'assign':
      return { action, assigneeId, selection }
    case 'add_tag':
    case 'remove_tag':
      return { action, tag: tag.trim(), selection }
  }
}
