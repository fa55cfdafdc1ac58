import { dayAt } from '../../lib/calendar.ts'
import type { Outcome } from '../../lib/interaction-outcome.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { type AddInteraction, addInteractionSchema } from './interactions.schema.ts'
import type { Channel } from './interactions.table.ts'
import { addInteraction } from './interactions.ts'

type Told = { channel: Channel; outcome: Outcome; summary: string }

const openings: readonly Told[] = [
  { channel: 'phone', outcome: 'no_answer', summary: 'No answer before lunch.' },
  { channel: 'phone', outcome: 'left_message', summary: 'Left a message with reception.' },
  { channel: 'phone', outcome: 'connected', summary: 'Spoke to the buyer. Sends the list of what they need.' },
  { channel: 'email', outcome: 'connected', summary: 'They wrote to ask for prices and delivery times.' },
]
const middles: readonly Told[] = [
  { channel: 'phone', outcome: 'connected', summary: 'Prices are fine; delivery twice a week is the question.' },
  { channel: 'phone', outcome: 'meeting_booked', summary: 'Visit booked at their workshop.' },
  { channel: 'meeting', outcome: 'meeting_held', summary: 'Saw the workshop. The owner decides with the bookkeeper.' },
  { channel: 'phone', outcome: 'qualified', summary: 'Budget confirmed for this quarter.' },
  { channel: 'message', outcome: 'left_message', summary: 'Asked by message for a time to talk.' },
]

/** Prospects with interactions; each has one to three of them. */
const TALKED_TO = 32
/** Follow-ups in days from today, of as many prospects; the others have none. */
const followUps = [-1, -1, -3, 0, 0, 0, 0, 1, 1, 2, 2, 3, 6, 7, 7, 8, 9]
const SPREAD_DAYS = 90

/** Adds some 60 interactions of three months by the people of the desk, with follow-ups from last week to next week. */
export async function sampleInteractions({ people, prospects, now, timeZone, as }: SampleDesk): Promise<void> {
  const today = dayAt(now.toISOString(), timeZone)
  const callers = [people.operators[0], people.administrator, people.operators[1], people.manager]
  const worked = prospects.filter(({ isWorked }) => isWorked).slice(0, TALKED_TO)
  for (const [index, { id }] of worked.entries()) {
    const caller = callers[index % callers.length] ?? people.administrator
    const count = 1 + (index % 3)
    for (let step = 0; step < count; step++) {
      const isLast = step === count - 1
      const told = step === 0 ? openings[index % openings.length] : middles[(index + step) % middles.length]
      const followUp = isLast ? followUps[index] : undefined
      const days = 1 + Math.floor(((count - step) * (SPREAD_DAYS - 1 - index)) / (count + 1))
      const input: unknown = {
        ...told,
        direction: told?.channel === 'email' ? 'inbound' : 'outbound',
        occurredAt: atWork(today.subtract({ days }), 8 + ((index * 3 + step) % 8), timeZone),
        participants: [],
        ...(followUp !== undefined && {
          followUpOn: (followUp > 0
            ? workingDay(today.add({ days: followUp }))
            : today.add({ days: followUp })
          ).toString(),
          acceptPastFollowUp: true,
        }),
      }
      const body: AddInteraction = addInteractionSchema.parse(input)
      await as(caller, 'interaction.add', (tx) => addInteraction(tx, id, body))
    }
  }
}

/** The same day, or the Monday after it if it is a day of a weekend. */
function workingDay(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.dayOfWeek > 5 ? day.add({ days: 8 - day.dayOfWeek }) : day
}

/** A time on the day, or on the Friday before it. */
function atWork(day: Temporal.PlainDate, hour: number, timeZone: string): string {
  const worked = day.dayOfWeek > 5 ? day.subtract({ days: day.dayOfWeek - 5 }) : day
  const at = worked.toZonedDateTime({ timeZone, plainTime: { hour, minute: (hour * 17) % 60 } })
  return new Date(at.epochMilliseconds).toISOString()
}
