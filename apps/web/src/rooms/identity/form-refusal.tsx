import { Alert } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { waitWords } from './sign-in.ts'

type Props = {
  refusal: { form?: string; waitSeconds?: number }
  afterWait?: string
}

/** What was refused that belongs to no single field; after too many attempts, how long to wait. */
export function FormRefusal({ refusal: { form, waitSeconds }, afterWait = 'try again' }: Props) {
  if (form === undefined) return null
  return waitSeconds === undefined ? (
    <Alert color="red" variant="outline" icon={<IconAlertCircle />}>
      {form}
    </Alert>
  ) : (
    <Alert color="yellow" variant="outline" icon={<IconClock />}>
      {form} Wait {waitWords(waitSeconds)}, then {afterWait}.
    </Alert>
  )
}
