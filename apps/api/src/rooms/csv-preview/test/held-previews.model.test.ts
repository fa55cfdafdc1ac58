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

const bytesOf = (known: readonly Known[]) => known.reduce((sum, one) => sum + one.size, 0)

/**
 * Returns the previews that remain after one was added, or null if there is no room for it. Earlier previews of its owner are removed first, and then
 * those of people who hold more than its owner.
 */
function makeRoom(known: readonly Known[], added: Known): Known[] | null {
  let left = [...known]
  while (bytesOf(left) > heldLimits.packedBytesInAll) {
    const totals = people.map((_one, person) => bytesOf(left.filter((one) => one.person === person)))
    const mine = left.find((one) => one.person === added.person && one !== added)
    const most = Math.max(...totals)
    const heaviest = left.find((one) => totals[one.person] === most && most > (totals[added.person] ?? 0))
    const victim = mine ?? heaviest
    if (victim === undefined) return null
    left = left.filter((one) => one !== victim)
  }
  return left
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
        const added = { id, person, size, createdAt: now, usedAt: now }
        const hold = () =>
          held.hold({
            id,
            owner,
            file: { bytes: size, sha256: '' },
            phoneRegion: null,
            analysis: emptyAnalysis,
            content,
          })
        known = [...expected(known, now), added]
        const own = known.filter((one) => one.person === person)
        const tooMany = own.slice(0, Math.max(0, own.length - heldLimits.ofAPerson))
        known = known.filter((one) => !tooMany.includes(one))
        const fits = makeRoom(known, added)
        known = fits ?? known.filter((one) => one.person !== person)
        if (fits === null) expect(hold).toThrow('holds other large files')
        else hold()

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

test('the files of one person do not end those of others, and a file without room is refused', () => {
  const held = createHeldPreviews(() => new Date('2026-11-30T08:00:00Z'))
  const [ann, ben, cas] = people as [typeof stranger, typeof stranger, typeof stranger]
  const hold = (owner: typeof stranger, id: string, share: number) => {
    const size = share * heldLimits.packedBytesInAll
    const content = { blocks: [], bytes: size, packedBytes: size }
    held.hold({ id, owner, file: { bytes: size, sha256: '' }, phoneRegion: null, analysis: emptyAnalysis, content })
  }
  hold(ann, 'ann', 0.3)
  for (const id of ['ben-1', 'ben-2', 'ben-3']) hold(ben, id, 0.4)
  expect(held.get(ann, 'ann').id).toBe('ann')
  expect(() => held.get(ben, 'ben-2')).toThrow('does not exist')
  expect(held.get(ben, 'ben-3').id).toBe('ben-3')
  // 0.3 and 0.4 are used, by people who have no more than the new file would take.
  expect(() => hold(cas, 'cas', 0.41)).toThrow('holds other large files')
  expect([held.get(ann, 'ann').id, held.get(ben, 'ben-3').id]).toEqual(['ann', 'ben-3'])
  // A person who has less gets room from the one who has the most.
  hold(cas, 'cas', 0.35)
  expect(() => held.get(ben, 'ben-3')).toThrow('does not exist')
})
