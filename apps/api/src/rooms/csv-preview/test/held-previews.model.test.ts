import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeldPreviews, heldLimits } from '../held-previews.ts'
import { emptyAnalysis } from './empty-analysis.ts'

const MINUTE = 60_000
const people = ['Ann', 'Ben', 'Cas'].map((userId) => ({ tenantId: 'home', userId }))
const stranger = { tenantId: 'other', userId: 'Ann' }

type Step = { person: number; size: number; uses: number; minutes: number }
type Known = { id: string; person: number; size: number; createdAt: number; usedAt: number }

/** The previews that must be held, least recently used first, by the limits alone. */
function expected(known: readonly Known[], now: number): Known[] {
  const isAlive = ({ createdAt, usedAt }: Known) =>
    now < Math.min(usedAt + heldLimits.minutes * MINUTE, createdAt + heldLimits.hoursAtMost * 60 * MINUTE)
  return known.filter(isAlive)
}

test('a preview is held for minutes after its last use, at most a working day, within the limits, for its owner only', () => {
  const step = fc.record({
    person: fc.nat(2),
    size: fc.constantFrom(1, heldLimits.packedBytesEach / 2, heldLimits.packedBytesEach),
    uses: fc.nat(9),
    minutes: fc.constantFrom(0, 1, 7, 14, 15, 40, 70),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps: Step[]) => {
      let now = Date.parse('2026-11-30T08:00:00Z')
      const held = createHeldPreviews(() => new Date(now))
      let known: Known[] = []
      for (const [at, { person, size, uses, minutes }] of steps.entries()) {
        const owner = people[person] ?? stranger
        const id = `preview-${at}`
        const content = { blocks: [], bytes: size, packedBytes: size }
        held.hold({ id, owner, file: { bytes: size, sha256: '' }, phoneRegion: null, analysis: emptyAnalysis, content })
        known = [...expected(known, now), { id, person, size, createdAt: now, usedAt: now }]
        const own = known.filter((one) => one.person === person)
        const tooMany = own.slice(0, Math.max(0, own.length - heldLimits.ofAPerson))
        known = known.filter((one) => !tooMany.includes(one))
        while (known.reduce((sum, one) => sum + one.size, 0) > heldLimits.packedBytesInAll) known.shift()

        now += minutes * MINUTE
        known = expected(known, now)
        const used = known[uses]
        if (used !== undefined) {
          held.get(people[used.person] ?? stranger, used.id)
          used.usedAt = now
          known = [...known.filter((one) => one !== used), used]
        }
        for (let n = 0; n <= at; n++) {
          const one = known.find(({ id: knownId }) => knownId === `preview-${n}`)
          expect(() => held.get(stranger, `preview-${n}`)).toThrow('does not exist')
          if (one === undefined)
            for (const other of people) expect(() => held.get(other, `preview-${n}`)).toThrow('does not exist')
        }
      }
      // Reading a preview is a use, so the held ones are compared at the end.
      for (const one of known) expect(held.get(people[one.person] ?? stranger, one.id).id).toBe(one.id)
    }),
    { numRuns: 100 },
  )
})
