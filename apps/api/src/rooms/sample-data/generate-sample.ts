import { composeFirm, type Firm, type Taken } from './compose-business.ts'
import { composeEvidence } from './compose-evidence.ts'
import { composeMoves, composeNotes, drawDoNotContact, drawState } from './compose-history.ts'
import { composeBranch, composeTwin } from './compose-relatives.ts'
import type { SamplePlan } from './sample-plan.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** Number of assignees among whom the prospects are distributed. */
export const deskSize = 6

/** Number of recent businesses that branches and duplicates can refer to. It is limited, so that memory does not grow with the sample. */
const rememberedFirms = 400

/**
 * Generates realistic South African prospects, one plan per business, without reading or writing anything. The same seed, number and `now` give the
 * same plans, and a longer run begins with the plans of a shorter one. `now` is the latest possible time of evidence (a Date or milliseconds since
 * 1970). All domains and email addresses are below .example.
 */
export function* generateSample(input: {
  seed: number
  businesses: number
  now: Date | number
}): Generator<SamplePlan> {
  const random = seededRandom(input.seed)
  const nowMs = Number(input.now)
  const year = new Date(nowMs).getUTCFullYear()
  const taken: Taken = { names: new Set(), slugs: new Set(), numbers: new Set() }
  const firms: Firm[] = []
  for (let made = 0; made < input.businesses; made++) {
    const relative = firms.length > 10 ? relativeOf(random, firms, taken) : null
    const firm = relative ?? composeFirm(random, taken, year)
    if (relative === null) firms.push(firm)
    if (firms.length > rememberedFirms) firms.shift()
    yield planOf(random, firm, nowMs)
  }
}

function relativeOf(random: SeededRandom, firms: readonly Firm[], taken: Taken): Firm | null {
  const kind = random.weigh(['none', 'branch', 'twin'] as const, (key) => ({ none: 90, branch: 7, twin: 3 })[key])
  if (kind === 'none') return null
  const original = random.pick(firms)
  return kind === 'branch' ? composeBranch(random, original, taken) : composeTwin(random, original, taken)
}

function planOf(random: SeededRandom, firm: Firm, nowMs: number): SamplePlan {
  const state = firm.isSecondEntry ? 'new' : drawState(random)
  const moves = composeMoves(random, state)
  const doNotContact = drawDoNotContact(random, firm, state)
  return {
    create: firm.body,
    evidence: composeEvidence(random, firm, state, nowMs),
    notes: composeNotes(
      random,
      firm,
      moves.map((move) => move.to),
    ),
    moves,
    ...(doNotContact === null ? {} : { doNotContact }),
    assignee: random.chance(state === 'new' ? 0.5 : 0.07) ? null : random.int(0, deskSize - 1),
  }
}
