import { Checkbox, Stack, Textarea } from '@mantine/core'
import { type AnswerSubjectRequestData, answerSubjectRequest, type SubjectRequest } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { formatDateTime } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { isSensitive } from './request-fields.tsx'
import { outcomeWords } from './request-words.ts'
import { refreshRequests } from './requests.queries.ts'

type Props = { request: SubjectRequest; close: () => void; reopen: () => void }
type Outcome = AnswerSubjectRequestData['body']['outcome']
type Values = { outcome: Outcome | null; how: string; acts: string[] }

const outcomes = ['granted', 'granted_in_part', 'refused', 'withdrawn'] as const
const outcomeOptions = outcomes.map((value) => ({ value, label: outcomeWords[value] }))

/** Records how a request was answered, and by which acts. */
export function AnswerDialog({ request: { id, foundActs }, close, reopen }: Props) {
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  return (
    <FormDialog<Values, SubjectRequest>
      title="Record the answer"
      submitLabel="Record answer"
      what="the answer"
      // The outcome and the acts are evidence, so they have no default.
      initial={{ outcome: null, how: '', acts: [] }}
      validate={({ outcome, how }): FieldErrors => ({
        ...(outcome === null && { outcome: 'Choose the outcome.' }),
        ...(how.trim() === '' && { how: 'Enter how you answered.' }),
      })}
      fieldOf={(path) => (path.startsWith('acts') ? 'acts' : path)}
      send={({ outcome, how, acts }, { key }) => {
        if (outcome === null) throw new Error('The form is not sent without an outcome.')
        const known = acts.filter((act) => foundActs.some(({ eventId }) => eventId === act))
        const body = { outcome, how: how.trim(), acts: known }
        return dataOf(answerSubjectRequest({ path: { requestId: id }, body, ...withKey(key) }))
      }}
      onSaved={() => {
        void refreshRequests(queryClient)
        close()
      }}
      draft={{ name: `subject-request-answer-${id}`, guards: { outcome: isOutcome }, isSensitive }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Select
            label="Outcome"
            placeholder="Choose"
            withAsterisk
            aria-required
            data-autofocus
            data={outcomeOptions}
            {...form.getInputProps('outcome')}
          />
          <Textarea
            label="How you answered"
            description={
              <>
                For example: by letter on Monday, with the file. Answer the person yourself: this product sends nothing.
                <DraftHint draft={restored} />
              </>
            }
            withAsterisk
            aria-required
            autosize
            minRows={3}
            maxLength={inputLimits.requestText}
            {...form.getInputProps('how')}
          />
          {foundActs.length > 0 && (
            <Checkbox.Group
              label="What was done for this request"
              description="The answer links the selected steps as its proof."
              {...form.getInputProps('acts')}
            >
              <Stack gap={4} mt="xs">
                {foundActs.map((act) => (
                  <Checkbox
                    key={act.eventId}
                    value={act.eventId}
                    label={`${act.label}, ${formatDateTime(act.at, timeZone)}, ${nameText(act.actor.name)}`}
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

const isOutcome = oneOf([...outcomes, null])
