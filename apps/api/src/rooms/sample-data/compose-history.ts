import type { Firm } from './compose-business.ts'
import type { Move, NoteBody, ReachedState } from './sample-plan.ts'
import type { SeededRandom } from './seeded-random.ts'
import { doNotContactReasons, moveReasons, notesByState, reopenReasons, sensitiveNotes } from './wording.data.ts'

/** Relative number of prospects by state. Most prospects are in early states. */
const stateWeights: Record<ReachedState, number> = {
  new: 40,
  contacted: 20,
  qualified: 13,
  proposal: 9,
  negotiation: 6,
  won: 7,
  lost: 5,
}

const wayToNegotiation = ['contacted', 'qualified', 'proposal', 'negotiation'] as const
const states = ['new', ...wayToNegotiation, 'won', 'lost'] as const

export function drawState(random: SeededRandom): ReachedState {
  return random.weigh(states, (state) => stateWeights[state])
}

/** Returns the transitions from `new` to `state`, each of them permitted (specification, States: Pipeline). Some lost or won deals are reopened. */
export function composeMoves(random: SeededRandom, state: ReachedState): Move[] {
  if (state === 'new') return []
  if (state !== 'negotiation' && state !== 'won' && state !== 'lost') {
    return wayToNegotiation.slice(0, wayToNegotiation.indexOf(state) + 1).map((to) => move(random, to))
  }
  const moves = wayToNegotiation.map((to) => move(random, to))
  if (random.chance(state === 'negotiation' ? 0.2 : 0.08)) {
    const closed = random.chance(0.75) ? 'lost' : 'won'
    moves.push(move(random, closed), { to: 'negotiation', reason: random.pick(reopenReasons[closed]) })
  }
  if (state !== 'negotiation') moves.push(move(random, state))
  return moves
}

function move(random: SeededRandom, to: ReachedState): Move {
  const reasons = moveReasons[to] ?? []
  const isExplained = to === 'lost' || random.chance(to === 'won' ? 0.8 : 0.3)
  return isExplained && reasons.length > 0 ? { to, reason: random.pick(reasons) } : { to }
}

/** Returns notes in the order in which they were written, at most one per passed stage. */
export function composeNotes(random: SeededRandom, firm: Firm, passed: readonly ReachedState[]): NoteBody[] {
  const stages = [...new Set<ReachedState>(['new', ...passed])]
  const notes: NoteBody[] = stages
    .filter((stage) => random.chance(stage === 'new' ? 0.35 : 0.6))
    .map((stage) => ({ text: fill(random.pick(notesByState[stage]), firm) }))
  if (passed.length > 0 && random.chance(0.1))
    notes.push({ text: fill(random.pick(sensitiveNotes), firm), sensitive: true })
  return notes
}

/** Chooses at random if the business is blocked manually. The block is nearly independent of the state: even a won prospect can have one. */
export function drawDoNotContact(random: SeededRandom, firm: Firm, state: ReachedState): { reason: string } | null {
  return random.chance(state === 'lost' ? 0.2 : 0.035) ? { reason: fill(random.pick(doNotContactReasons), firm) } : null
}

function fill(text: string, firm: Firm): string {
  return text.replaceAll('{contact}', firm.contact.first).replaceAll('{city}', firm.place.names[0])
}
