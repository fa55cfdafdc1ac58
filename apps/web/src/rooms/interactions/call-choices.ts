/** The short form of a call: its outcomes and follow-up days, with the keys that choose them. */
import type { Choice } from '../../ui/fields/choice-buttons.tsx'
import { formatWeekday } from '../../ui/text/format.ts'
import { outcomeName } from '../../ui/text/outcome-words.ts'
import { nextWorkingDay } from '../../ui/text/typed-day.ts'
import { daysBefore } from '../../ui/text/zone-time.ts'
import type { InteractionFormValues } from './interaction-form-values.ts'
import { OPT_OUT, optOutLabel } from './opt-out.ts'

export type CallOutcome = NonNullable<InteractionFormValues['outcome']>

/** Outcomes of a call in the order of their keys, 1 to 5. */
const callOutcomes: readonly CallOutcome[] = ['no_answer', 'left_message', 'connected', 'meeting_booked', OPT_OUT]

/** The key of "Other…", after those of the outcomes. */
export const OTHER_KEY = '6'

export function outcomeChoices(canOptOut: boolean): Choice<CallOutcome>[] {
  return callOutcomes
    .map((value, index) => ({
      value,
      label: value === OPT_OUT ? optOutLabel : outcomeName(value),
      keyCap: String(index + 1),
    }))
    .filter(({ value }) => canOptOut || value !== OPT_OUT)
}

/** Follow-up days of the short form. `value` is a day, or blank for none. `today` is that of the workspace. */
export function followUpChoices(today: string): Choice<string>[] {
  const days: [label: string, day: string, keyCap: string][] = [
    ['Tomorrow', daysBefore(today, -1), '7'],
    ['Next working day', nextWorkingDay(today), '8'],
    ['In a week', daysBefore(today, -7), '9'],
  ]
  return [
    { value: '', label: 'None', keyCap: '0' },
    ...days.map(([label, value, keyCap]) => ({ value, label, detail: formatWeekday(value), keyCap })),
  ]
}

/** Removes choices whose day an earlier choice has. On most days, the next working day is tomorrow. The keys of removed choices still work. */
export const distinctChoices = (choices: readonly Choice<string>[]): Choice<string>[] =>
  choices.filter(({ value }, index) => choices.findIndex((one) => one.value === value) === index)

/** True if the short form has no field for one of the values, for example after a draft was restored. */
export function needsAllFields({ outcome, channel, direction, occurredAt, participants }: InteractionFormValues) {
  const isOther = outcome !== null && !callOutcomes.includes(outcome)
  return isOther || channel !== 'phone' || direction !== null || occurredAt !== '' || participants.length > 0
}
