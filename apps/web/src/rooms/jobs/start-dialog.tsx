import { TextInput } from '@mantine/core'
import { createJob, type JobKinds } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersOf } from '../../ui/api/query-keys.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { initialInput, inputOf, mistakesIn, rangeOf } from './job-input.ts'

type Kind = JobKinds['items'][number]

/** Dialog that describes a job kind, asks for its input if it has any, and starts a job. */
export function StartDialog({ kind, close }: { kind: Kind; close: () => void }) {
  const { fields } = kind
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <FormDialog
      title={kind.title}
      submitLabel="Start"
      what="Start job"
      isAction
      initial={initialInput(fields)}
      validate={(typed) => mistakesIn(fields, typed)}
      send={(typed, { key }) =>
        dataOf(createJob({ body: { kind: kind.kind, input: inputOf(fields, typed) }, ...withKey(key) }))
      }
      onSaved={async ({ id }, _typed, { isMounted }) => {
        void queryClient.invalidateQueries({ queryKey: answersOf('listJobs') })
        if (isMounted()) await navigate({ to: '/jobs/$jobId', params: { jobId: id } })
      }}
      fieldOf={(path) => fields.find(({ name }) => name === path.replace(/^input\./, ''))?.name}
      close={close}
    >
      {({ form }) => (
        <>
          <p>{kind.touches}</p>
          {fields.map((field, index) => {
            const { name, label, hint, type } = field
            const shared = {
              label,
              ...(hint !== null && { description: localSentence(hint) }),
              ...(index === 0 && { 'data-autofocus': true }),
              ...form.getInputProps(name),
            }
            return type === 'integer' ? (
              <NumberField key={name} {...rangeOf(field)} {...shared} />
            ) : (
              <TextInput key={name} autoComplete="off" {...shared} />
            )
          })}
          <p>
            The job runs in the background under your name.{' '}
            {kind.isCancellable ? 'You can cancel the job at any time.' : 'You cannot stop the job after the start.'}
          </p>
        </>
      )}
    </FormDialog>
  )
}
