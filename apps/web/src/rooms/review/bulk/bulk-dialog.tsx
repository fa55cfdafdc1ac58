import { Text } from '@mantine/core'
import { type PreviewBulkReviewData, previewBulkReview } from '@prospect/api-client'
import { useNavigate } from '@tanstack/react-router'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { usePeopleOptions } from '../../../ui/prospects/assignees.ts'
import { type ReasonCode, reasonOptions } from '../decisions/reject-dialog.tsx'
import { actionWords, type BulkAction } from './bulk-words.ts'
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

type Values = { reasonCode: ReasonCode | null; assigneeId: string | null; tag: string }

const blank: Values = { reasonCode: null, assigneeId: null, tag: '' }

/** Dialog for the inputs of a bulk action. It freezes the selection on the server and opens the preview; nothing else changes. */
export function BulkDialog({ action, selection, words, close, reopen }: Props) {
  const navigate = useNavigate()
  const people = usePeopleOptions()
  return (
    <FormDialog
      title={`${actionWords[action]}: ${words}`}
      submitLabel="Preview"
      what="the preview"
      isAction
      isUndoable
      initial={blank}
      validate={(values) => missing(action, values)}
      payloadOf={(values) => ({ action, selection, values })}
      send={(values, { key }) =>
        dataOf(previewBulkReview({ body: bodyOf(action, selection, values), ...withKey(key) }))
      }
      onSaved={({ id }) => {
        close()
        void navigate({ to: '/review/previews/$previewId', params: { previewId: id } })
      }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
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
          <Text size="sm">
            The preview counts what would change and what would be refused. Nothing changes before you confirm it.
          </Text>
        </>
      )}
    </FormDialog>
  )
}

function missing(action: BulkAction, { reasonCode, tag }: Values): { reasonCode?: string; tag?: string } {
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
