import { Checkbox, Stack, Textarea } from '@mantine/core'
import { type AnswerSubjectRequestData, answerSubjectRequest, type SubjectRequest } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { formatDateTime } from '../../ui/text/format.ts'
import { outcomeWords } from './request-words.ts'
import { refreshRequests } from './requests.queries.ts'

type Props = { request: SubjectRequest; close: () => void; reopen: () => void }
type Values = { outcome: AnswerSubjectRequestData['body']['outcome']; how: string; acts: string[] }

const outcomeOptions = Object.entries(outcomeWords).map(([value, label]) => ({ value, label }))

/** Records how a request was answered, and by which acts. */
export function AnswerDialog({ request: { id, foundActs }, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  return (
    <FormDialog<Values, SubjectRequest>
      title="Record the answer"
      submitLabel="Record answer"
      what="the answer"
      initial={{ outcome: 'granted', how: '', acts: foundActs.slice(0, 1).map(({ eventId }) => eventId) }}
      validate={({ how }): FieldErrors => (how.trim() === '' ? { how: 'Enter how the person was answered.' } : {})}
      fieldOf={(path) => (path.startsWith('acts') ? 'acts' : path)}
      send={(body, { key }) => dataOf(answerSubjectRequest({ path: { requestId: id }, body, ...withKey(key) }))}
      onSaved={() => {
        void refreshRequests(queryClient)
        close()
      }}
      draft={{ name: `subject-request-answer-${id}`, isBlank: ({ how }) => how.trim() === '' }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Select label="Outcome" data={outcomeOptions} {...form.getInputProps('outcome')} />
          <Textarea
            label="How the person was answered"
            description={
              <>
                This product sends nothing.
                <DraftHint draft={restored} />
              </>
            }
            withAsterisk
            aria-required
            data-autofocus
            autosize
            minRows={3}
            maxLength={inputLimits.requestText}
            {...form.getInputProps('how')}
          />
          {foundActs.length > 0 && (
            <Checkbox.Group label="Acts that carried the request out" {...form.getInputProps('acts')}>
              <Stack gap={4} mt="xs">
                {foundActs.map((act) => (
                  <Checkbox
                    key={act.eventId}
                    value={act.eventId}
                    label={`${act.label}, ${formatDateTime(act.at, timeZone)}, ${act.actor.name}`}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        </>
      )}
    </FormDialog>
  )
}
