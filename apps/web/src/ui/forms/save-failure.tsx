import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isUnanswered, sentenceOf } from '../api/api-problem.ts'

/** Reason why a form was not saved, or that the result is unknown. `waitSeconds`: pause required after too many attempts. */
export type SaveFailure = { isUnknown: boolean; text: string; waitSeconds?: number }

export const refusedWith = (text: string, waitSeconds?: number): SaveFailure => ({
  isUnknown: false,
  text,
  ...(waitSeconds !== undefined && { waitSeconds }),
})

export function saveFailureOf(error: unknown, isAction = false): SaveFailure {
  if (!isUnanswered(error)) return refusedWith(sentenceOf(error))
  const again = isAction
    ? 'Send the request again without changes. Nothing will be done twice.'
    : 'Save again without changes. Nothing will be saved twice.'
  return { isUnknown: true, text: `The server did not answer. ${again}` }
}

export const saveFailureTitle = ({ isUnknown }: SaveFailure, isAction = false): string =>
  `${isUnknown ? 'May not be' : 'Not'} ${isAction ? 'done' : 'saved'}`

type Props = {
  failure: SaveFailure | null
  isAction?: boolean
  /** Link to the page where the values appear if they were saved. */
  look?: ReactNode
}

/** Alert about a failed save, shown above the buttons of a form. */
export function NotSaved({ failure, isAction = false, look }: Props) {
  if (failure === null) return null
  return (
    <Alert color="red" variant="outline" icon={<IconAlertCircle />} title={saveFailureTitle(failure, isAction)} mt="md">
      {failure.text} Your text is still here.
      {failure.isUnknown && look}
    </Alert>
  )
}
