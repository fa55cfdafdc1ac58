import { notifications } from '@mantine/notifications'
import type { PipelineState } from '@prospect/api-client'
import { isUnanswered } from '../../ui/api/api-problem.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { nameText } from '../../ui/text/name-text.ts'

/** For whoever has left the place that asked for a move before it was refused. It stays until it is dismissed, on whatever page. */
export function notifyNotMoved(name: string, error: unknown, words: string): void {
  const title = `${isUnanswered(error) ? 'May not be moved' : 'Not moved'}: ${nameText(name)}`
  notifications.show({ color: 'red', title, message: words, autoClose: false })
}

/** Somebody was first, or an answer was lost: the prospect is where it was to go, and this reason was not written down. */
export function notifyAlreadyMoved(name: string, to: PipelineState): void {
  notifications.show({
    message: `${nameText(name)} was already in ${pipelineStateName(to)}. The earlier reason is kept.`,
  })
}
