/** Values of the interaction form and their conversion to the request: times typed in the tenant's zone become instants. */
import type {
  AddInteractionData,
  Interaction,
  InteractionChannel,
  InteractionDirection,
  InteractionOutcome,
} from '@prospect/api-client'
import { type FieldGuards, oneOf } from '../../ui/forms/draft-fields.ts'
import { dayFrom, notADay, notATime, timeFrom } from '../../ui/text/day.ts'
import { isOutcome } from '../../ui/text/outcome-words.ts'
import { instantIn } from '../../ui/text/zone-time.ts'
import { isChannel, isDirection } from './interaction-words.ts'
import { emptyOptOut, missingInOptOut, OPT_OUT, type OptOutValues } from './opt-out.ts'

export type InteractionFormValues = {
  /** Time in the tenant's time zone, as typed. Blank means now. */
  occurredAt: string
  channel: InteractionChannel
  direction: InteractionDirection | null
  outcome: InteractionOutcome | typeof OPT_OUT | null
  summary: string
  participants: string[]
  /** Day as typed, or blank. */
  followUpOn: string
  correctsId: string | null
} & OptOutValues

/** Initial values: those of the corrected interaction, or of a new one for null. */
export function interactionFrom(corrects: Interaction | null): InteractionFormValues {
  return {
    occurredAt: '',
    channel: corrects?.channel ?? 'phone',
    direction: corrects?.direction ?? null,
    outcome: corrects?.outcome ?? null,
    summary: corrects?.summary ?? '',
    participants: corrects?.participants ?? [],
    followUpOn: corrects?.followUpOn ?? '',
    correctsId: corrects?.id ?? null,
    ...emptyOptOut,
  }
}

/** Request body of a valid form. `whenBlank` replaces a blank time: now, or the time of the corrected interaction. */
export function interactionBody(
  values: InteractionFormValues,
  zone: string,
  whenBlank: string,
): AddInteractionData['body'] {
  const { outcome } = values
  if (outcome === null || outcome === OPT_OUT) throw new TypeError('An interaction needs an outcome.')
  const [occurredAt, followUpOn] = [timeFrom(values.occurredAt), dayFrom(values.followUpOn)]
  return {
    occurredAt: occurredAt === null ? whenBlank : instantIn(occurredAt, zone),
    channel: values.channel,
    ...(values.direction === null ? {} : { direction: values.direction }),
    outcome,
    ...(values.summary.trim() === '' ? {} : { summary: values.summary }),
    ...(values.participants.length === 0 ? {} : { participants: values.participants }),
    ...(followUpOn === null ? {} : { followUpOn }),
    ...(values.correctsId === null ? {} : { correctsId: values.correctsId }),
  }
}

export function missingInInteraction(values: InteractionFormValues): Record<string, string> {
  const { outcome, occurredAt } = values
  // Not shown for this outcome, and not sent.
  const followUpOn = outcome === OPT_OUT ? '' : values.followUpOn
  return {
    ...(outcome === null ? { outcome: 'Choose an outcome.' } : {}),
    ...(occurredAt.trim() === '' || timeFrom(occurredAt) !== null ? {} : { occurredAt: notATime(occurredAt) }),
    ...(outcome === OPT_OUT ? missingInOptOut(values) : {}),
    ...(followUpOn.trim() === '' || dayFrom(followUpOn) !== null ? {} : { followUpOn: notADay(followUpOn) }),
  }
}

export function isBlankInteraction(values: InteractionFormValues): boolean {
  const { outcome, summary, participants, followUpOn, occurredAt } = values
  return outcome === null && participants.length === 0 && `${summary}${followUpOn}${occurredAt}`.trim() === ''
}

export const interactionGuards: FieldGuards<InteractionFormValues> = {
  channel: isChannel,
  direction: (stored): stored is InteractionDirection | null => stored === null || isDirection(stored),
  outcome: (stored): stored is InteractionFormValues['outcome'] =>
    stored === null || stored === OPT_OUT || isOutcome(stored),
  // Never restored: it follows from the corrected interaction, whose id is part of the draft's name.
  correctsId: oneOf([]),
}
