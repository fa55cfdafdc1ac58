import { TextInput } from '@mantine/core'
import { createJob, type JobKinds } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem, isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersOf } from '../../ui/api/query-keys.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { formErrors } from '../../ui/forms/form-errors.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { initialInput, inputOf, mistakesIn } from './job-input.ts'
import classes from './jobs.module.css'

type Kind = JobKinds['items'][number]

/** Says what a kind does, asks for its input where it takes one, and starts a job of it. */
export function StartDialog({ kind, close }: { kind: Kind; close: () => void }) {
  const { fields } = kind
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { keyFor, done } = useIdempotencyKey()
  const isHere = useIsMounted()
  const [typed, setTyped] = useState(() => initialInput(fields))
  const [mistakes, setMistakes] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<unknown>(null)
  const form = useRef<HTMLDivElement>(null)

  const start = useMutation({
    meta: { notDone: 'Start the job' },
    mutationFn: (input: ReturnType<typeof inputOf>) => {
      const body = { kind: kind.kind, input }
      return dataOf(createJob({ body, ...withKey(keyFor(body)) }))
    },
    onSuccess: async ({ id }) => {
      done()
      void queryClient.invalidateQueries({ queryKey: answersOf('listJobs') })
      if (isHere()) await navigate({ to: '/jobs/$jobId', params: { jobId: id } })
    },
    onError: (error) => {
      const nameOf = (path: string) => path.replace(/^input\./, '')
      const known = (path: string) => fields.some(({ name }) => name === nameOf(path))
      if (!isProblem(error)) return setFailure(error)
      const beside = formErrors(error, known)
      setMistakes(Object.fromEntries(Object.entries(beside.fields).map(([path, told]) => [nameOf(path), told])))
      const { status, code } = error
      setFailure(
        beside.general.length === 0 ? null : new ApiProblem({ status, code, detail: beside.general.join(' ') }),
      )
    },
  })
  useEffect(() => {
    if (Object.keys(mistakes).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [mistakes])

  const confirm = () => {
    setFailure(null)
    const found = mistakesIn(fields, typed)
    setMistakes(found)
    if (Object.keys(found).length === 0) start.mutate(inputOf(fields, typed))
  }

  return (
    <ConfirmDialog
      title={kind.title}
      confirmLabel="Start"
      isBusy={start.isPending}
      error={failure}
      onConfirm={confirm}
      onClose={close}
    >
      <p>{kind.touches}</p>
      {fields.length > 0 && (
        <div ref={form} className={classes.input}>
          {fields.map(({ name, label, hint, type }, index) => (
            <TextInput
              key={name}
              label={label}
              {...(hint === null ? {} : { description: hint })}
              {...(type === 'integer' ? { inputMode: 'numeric' as const } : {})}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
              autoComplete="off"
              value={typed[name] ?? ''}
              error={mistakes[name]}
              readOnly={start.isPending}
              onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
      <p>
        It runs in the background under your name.{' '}
        {kind.isCancellable ? 'It can be cancelled at any time.' : 'Once it runs it cannot be stopped.'}
      </p>
    </ConfirmDialog>
  )
}
