import { notifications } from '@mantine/notifications'
import type { PipelineState } from '@prospect/api-client'
import { isUnanswered } from '../../ui/api/api-problem.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { nameText } from '../../ui/text/name-text.ts'

/**
 * Notifies about a failed move if the component that requested it is no longer mounted. The notification remains until it is dismissed, on any page.
 */
export function notifyNotMoved(name: string, error: unknown, words: string): void {
  const title = `${isUnanswered(error) ? 'May not be moved' : 'Not moved'}: ${nameText(name)}`
  notifications.show({ color: 'red', title, message: words, autoClose: false })
}

/** Notifies that the prospect already was in the requested state, because of a colleague or a lost response. The new reason was not recorded. */
export function notifyAlreadyMoved(name: string, to: PipelineState): void {
  notifications.show({
    message: `${nameText(name)} was already in ${pipelineStateName(to)}. The earlier reason is kept.`,
  })
}
