import { daysAfter } from '../../lib/clock.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { setRegistration } from './registration.ts'
import { registrationInput, startRoundSchema } from './registry.schema.ts'
import { startRound } from './rounds.ts'

/** Days after which the registration of the sample ends; within the days of its warning. */
const ENDS_IN_DAYS = 25

/** Enters a registration that ends soon, and starts a round; the API writes its file when it runs. */
export async function sampleRegistry({ people, now, as }: SampleDesk): Promise<void> {
  const validUntil = daysAfter(now, ENDS_IN_DAYS).slice(0, 10)
  const registration = registrationInput.parse({ number: 'SAMPLE 0000', validUntil })
  await as(people.manager, 'registry.register', (tx) => setRegistration(tx, 0, registration))
  const round = startRoundSchema.parse({ kinds: ['phone', 'email'], form: 'plain' })
  await as(people.manager, 'registry_round.start', (tx) => startRound(tx, round))
}
