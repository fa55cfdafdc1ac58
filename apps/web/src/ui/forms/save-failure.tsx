import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isUnanswered, sentenceOf } from '../api/api-problem.ts'

/** Why a form was not saved, or that this is not known. */
export type SaveFailure = { isUnknown: boolean; text: string }

export const refusedWith = (text: string): SaveFailure => ({ isUnknown: false, text })

export function saveFailureOf(error: unknown): SaveFailure {
  if (!isUnanswered(error)) return refusedWith(sentenceOf(error))
  return {
    isUnknown: true,
    text: 'No answer came, so it may be saved all the same. Send it again as it is before you change anything: so it is saved once.',
  }
}

export const saveFailureTitle = ({ isUnknown }: SaveFailure): string => (isUnknown ? 'Perhaps not saved' : 'Not saved')

/** `look`: the way to where it stands if it was saved after all. */
type Props = { failure: SaveFailure | null; look?: ReactNode }

/** Above the buttons of a form. */
export function NotSaved({ failure, look }: Props) {
  if (failure === null) return null
  return (
    <Alert color="red" variant="outline" icon={<IconAlertCircle />} title={saveFailureTitle(failure)}>
      {failure.text} What you typed is still here.
      {failure.isUnknown && look}
    </Alert>
  )
}
