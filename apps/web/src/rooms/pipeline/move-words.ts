/** Texts about moves: the labels of buttons and the messages about refused moves. */
import type { Pipeline, PipelineState } from '@prospect/api-client'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { nameText } from '../../ui/text/name-text.ts'

const kindOf = (pipeline: Pipeline, state: PipelineState) => pipeline.states.find((one) => one.state === state)?.kind

/** Returns the label of a move: 'Move to Contacted', 'Mark as won', 'Reopen in negotiation', 'Set aside as paused'. */
export function moveLabel(pipeline: Pipeline, from: PipelineState, to: PipelineState): string {
  const name = pipelineStateName(to)
  const lower = name.toLowerCase()
  if (kindOf(pipeline, from) !== 'open') return `Reopen in ${lower}`
  if (kindOf(pipeline, to) === 'closed') return `Mark as ${lower}`
  if (kindOf(pipeline, to) === 'set_aside') return `Set aside as ${lower}`
  return `Move to ${name}`
}

export const UNANSWERED =
  'The server did not answer, so we do not know whether the prospect moved. Check again in a moment.'

/** Describes why the server refused a move, in which state the prospect is, and what the person can do. */
export function refusedMoveWords(error: unknown, from: PipelineState, to: PipelineState): string {
  const fromName = pipelineStateName(from)
  if (isProblem(error, 'transition_not_allowed')) return forbiddenMoveWords(from, to)
  if (isProblem(error, 'reason_required')) return `This move needs a reason. The prospect is still in ${fromName}.`
  if (isProblem(error, 'business_not_active'))
    return `This record was merged or is inactive, so the prospect cannot move. The prospect is still in ${fromName}.`
  return `${sentenceOf(error)} The prospect is still in ${fromName}.`
}

/** Message about a move that the pipeline's table does not contain. */
export function forbiddenMoveWords(from: PipelineState, to: PipelineState): string {
  const fromName = pipelineStateName(from)
  return `A prospect cannot move from ${fromName} to ${pipelineStateName(to)}. This prospect is still in ${fromName}.`
}

/** Reasons that are stored for moves before which the person was not asked for a reason. Each change of a state records one (specification, States). */
export const quickReasons = {
  board: 'Moved on the board.',
  record: 'Moved on the record.',
  dialog: 'Moved without a reason.',
} as const

export const isQuickReason = (reason: string): boolean => Object.values<string>(quickReasons).includes(reason)

export const movedWords = (name: string, to: PipelineState): string =>
  `${nameText(name)} moved to ${pipelineStateName(to)}`

/** Message about a prospect that already was in the requested state, because of a colleague or a lost response. The new reason was not recorded. */
export const alreadyMovedWords = (name: string, to: PipelineState): string =>
  `${nameText(name)} was already in ${pipelineStateName(to)}. The earlier reason is kept, and yours was not stored.`
