import { Alert } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import type { SaveFailure } from '../../ui/forms/save-failure.tsx'
import { refusedWith } from '../../ui/forms/save-failure.tsx'
import type { Refusal } from '../../ui/forms/use-save-form.ts'
import { waitWords } from './sign-in.ts'

/** Builds a form error from its parts. `form` belongs to no field. */
export function refusalOf(
  errors: { form?: string; waitSeconds?: number } & Record<string, string | number | undefined>,
): Refusal {
  const { form, waitSeconds, ...beside } = errors
  const fields = Object.entries(beside).flatMap(([field, message]) =>
    typeof message === 'string' ? [[field, message]] : [],
  )
  return { fields: Object.fromEntries(fields), failure: form === undefined ? null : refusedWith(form, waitSeconds) }
}

type Props = {
  failure: SaveFailure | null
  afterWait?: string
}

/** Error that belongs to no field; after too many attempts with the remaining wait. */
export function FormRefusal({ failure, afterWait = 'try again' }: Props) {
  if (failure === null) return null
  const { text, waitSeconds } = failure
  return waitSeconds === undefined ? (
    <Alert color="red" variant="outline" icon={<IconAlertCircle />}>
      {text}
    </Alert>
  ) : (
    <Alert color="yellow" variant="outline" icon={<IconClock />}>
      {text} Wait {waitWords(waitSeconds)}, then {afterWait}.
    </Alert>
  )
}
