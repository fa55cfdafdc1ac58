import type { SampleDesk } from '../sample-desk.ts'
import { addPersonSchema } from './people.schema.ts'
import { addPerson, recordDeparture } from './write-person.ts'

/** Names and roles of people at prospects, with the language in which they prefer to speak. */
const people = [
  { name: 'Thandi Nkosi', role: 'Buyer', language: 'zu', note: 'Mornings before ten.' },
  { name: 'Pieter van Wyk', role: 'Owner', language: 'af', note: 'On site; send a message first.' },
  { name: 'Ayesha Patel', role: 'Accounts', language: 'en', note: null },
  { name: 'Sipho Dlamini', role: 'Workshop manager', language: 'en', note: 'Not on Mondays.' },
  { name: 'Annelie Botha', role: 'Reception', language: 'af', note: null },
  { name: 'Lerato Mokoena', role: 'Operations', language: 'en', note: 'Prefers a call to a letter.' },
] as const

/** Prospects with people; each has one to three of them. */
const KNOWN = 24
const LEFT_DAYS = 40
const DAY_MS = 86_400_000

/** Adds 48 people, of whom the first at each prospect answers its address and number, and the third one left. */
export async function samplePeople({ people: desk, prospects, now, as }: SampleDesk): Promise<void> {
  const writers = [desk.operators[0], desk.operators[1], desk.administrator]
  const worked = prospects.filter(({ isWorked }) => isWorked).slice(0, KNOWN)
  for (const [index, { id, email, phone, phoneRegion }] of worked.entries()) {
    const writer = writers[index % writers.length] ?? desk.administrator
    for (let step = 0; step <= index % 3; step++) {
      const body = addPersonSchema.parse({
        ...people[(index + step) % people.length],
        ...(step === 0 && email !== null && { emails: [{ value: email }] }),
        ...(step === 0 && phone !== null && { phones: [{ value: phone, label: 'Desk', region: phoneRegion }] }),
      })
      const person = await as(writer, 'person.add', (tx) => addPerson(tx, id, body))
      if (step !== 2) continue
      const on = new Date(now.getTime() - LEFT_DAYS * DAY_MS).toISOString().slice(0, 10)
      await as(writer, 'person.depart', (tx) => recordDeparture(tx, person.id, on))
    }
  }
}
