import { notifications } from '@mantine/notifications'
import { sentenceOf } from './api-problem.ts'

/** For whoever has left a form before it was refused; it is kept as a draft. Stays until it is dismissed, on whatever page. */
export function tellNotSaved(what: string, error: unknown): void {
  notifications.show({
    color: 'red',
    title: `Not saved: ${what}`,
    message: `${sentenceOf(error)} What you typed is kept where you left it.`,
    autoClose: false,
  })
}
