/** Values of the interaction form and their conversion to the request: times typed in the tenant's zone become instants. */
import type {
  AddInteractionData,
  Interaction,
  InteractionChannel,
  InteractionDirection,
  InteractionOutcome,
} from '@prospect/api-client'
import { type FieldGuards, oneOf } from '../../ui/forms/draft-fields.ts'
import { dayFrom, timeFrom } from '../../ui/text/day.ts'
import { notATime, problemOfComingDay } from '../../ui/text/day-words.ts'
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
  /** Id of the person at the prospect who took part. */
  personId: string | null
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
    personId: corrects?.personId ?? null,
    ...emptyOptOut,
  }
}

/** True if a correction keeps the follow-up date of the interaction that it corrects, which may have passed meanwhile. */
export const keepsFollowUp = ({ followUpOn }: InteractionFormValues, corrects: Interaction | null): boolean =>
  corrects !== null && corrects.followUpOn !== null && dayFrom(followUpOn) === corrects.followUpOn

type About = {
  zone: string
  corrects: Interaction | null
  /** Time of the first request: a blank time means this time, or that of the corrected interaction. */
  now: string
}

/** Request body of a valid form. */
export function interactionBody(
  values: InteractionFormValues,
  { zone, corrects, now }: About,
): AddInteractionData['body'] {
  const { outcome } = values
  if (outcome === null || outcome === OPT_OUT) throw new TypeError('Choose an outcome first.')
  const [occurredAt, followUpOn] = [timeFrom(values.occurredAt), dayFrom(values.followUpOn)]
  return {
    occurredAt: occurredAt === null ? (corrects?.occurredAt ?? now) : instantIn(occurredAt, zone),
    channel: values.channel,
    ...(values.direction === null ? {} : { direction: values.direction }),
    outcome,
    ...(values.summary.trim() === '' ? {} : { summary: values.summary }),
    ...(values.participants.length === 0 ? {} : { participants: values.participants }),
    ...(followUpOn === null ? {} : { followUpOn }),
    ...(keepsFollowUp(values, corrects) ? { acceptPastFollowUp: true } : {}),
    ...(values.correctsId === null ? {} : { correctsId: values.correctsId }),
    ...(values.personId === null ? {} : { personId: values.personId }),
  }
}

/** Errors of a form by field. `today`: in the time zone of the workspace. */
export function missingInInteraction(
  values: InteractionFormValues,
  { corrects, today }: { corrects: Interaction | null; today: string },
): Record<string, string> {
  const { outcome, occurredAt } = values
  // Not shown for this outcome, and not sent.
  const followUpOn = outcome === OPT_OUT ? '' : values.followUpOn
  const isKept = followUpOn.trim() === '' || keepsFollowUp(values, corrects)
  const wrongFollowUp = isKept ? null : problemOfComingDay(followUpOn, today)
  return {
    ...(outcome === null ? { outcome: 'Choose an outcome.' } : {}),
    ...(occurredAt.trim() === '' || timeFrom(occurredAt) !== null ? {} : { occurredAt: notATime(occurredAt) }),
    ...(outcome === OPT_OUT ? missingInOptOut(values) : {}),
    ...(wrongFollowUp === null ? {} : { followUpOn: wrongFollowUp }),
  }
}

export function isBlankInteraction(values: InteractionFormValues): boolean {
  const { outcome, summary, participants, followUpOn, occurredAt, personId } = values
  return (
    outcome === null &&
    personId === null &&
    participants.length === 0 &&
    `${summary}${followUpOn}${occurredAt}`.trim() === ''
  )
}

export const interactionGuards: FieldGuards<InteractionFormValues> = {
  channel: isChannel,
  direction: (stored): stored is InteractionDirection | null => stored === null || isDirection(stored),
  outcome: (stored): stored is InteractionFormValues['outcome'] =>
    stored === null || stored === OPT_OUT || isOutcome(stored),
  personId: (stored): stored is string | null => stored === null || typeof stored === 'string',
  // Never restored: it follows from the corrected interaction, whose id is part of the draft's name.
  correctsId: oneOf([]),
}
