import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CandidateState } from '../domains.table.ts'
import { domainsWorld } from './domains-world.ts'

/*
 * Tests the candidates of one domain of one business against a model: at most one is open or accepted, decisions are final, and a domain is proposed
 * again only with other evidence.
 */

const step = fc.constantFrom('accept', 'reject', 'withdraw', 'claim', 'addEmail', 'removeEmail', 'follow' as const)
type Model = { states: CandidateState[]; hasEmail: boolean; claims: number; decidedWith: string | null }

test('states follow their table, whatever happens to the evidence in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const world = await domainsWorld()
      const id = await world.prospect('A')
      const path = `/businesses/${id}`
      const setEmails = async (emails: { value: string }[]) => {
        const { headers } = await world.operator.get(path)
        await world.operator.patch(path, { emails }, { 'if-match': `${headers.etag}` })
      }
      const model: Model = { states: [], hasEmail: false, claims: 0, decidedWith: null }
      const evidence = () => `${model.hasEmail} ${model.claims}`
      const derive = () => {
        const last = model.states.at(-1)
        const isSupported = model.hasEmail || model.claims > 0
        if (last === 'open' && !isSupported) model.states[model.states.length - 1] = 'superseded'
        if (last === 'open' || last === 'accepted' || !isSupported) return
        const decided = model.states.findLast((state) => state === 'rejected' || state === 'withdrawn')
        if (decided === undefined || model.decidedWith !== evidence()) model.states.push('open')
      }
      const newest = async () => {
        const rows = await world.t.store.reader
          .selectFrom('domain_candidate_states')
          .select(['candidate_id as id', 'state'])
          .orderBy('candidate_id')
          .execute()
        expect(rows.map(({ state }) => state)).toEqual(model.states)
        return rows.at(-1)
      }
      for (const one of steps) {
        const last = await newest()
        if (one === 'claim') {
          await world.claim(id, 'karoo-mail.co.za')
          model.claims += 1
        }
        if (one === 'addEmail' || one === 'removeEmail') {
          await setEmails(one === 'addEmail' ? [{ value: 'info@karoo-mail.co.za' }] : [])
          model.hasEmail = one === 'addEmail'
        }
        if (one === 'accept' || one === 'reject' || one === 'withdraw') {
          if (last === undefined) continue
          const { fingerprint } = await world.candidate(last.id)
          const { status } =
            one === 'withdraw'
              ? await world.manager.post(`/domain-candidates/${last.id}/withdrawal`, { reason: 'A mistake.' })
              : await world.decide({ id: last.id, fingerprint }, { decision: one })
          const isSupported = model.hasEmail || model.claims > 0
          const isValid = one === 'withdraw' ? last.state === 'accepted' : last.state === 'open' && isSupported
          expect(status).toBe(isValid ? 200 : 409)
          if (!isValid) continue
          model.states[model.states.length - 1] =
            one === 'accept' ? 'accepted' : one === 'reject' ? 'rejected' : 'withdrawn'
          if (one !== 'withdraw') model.decidedWith = evidence()
        } else {
          await world.follow()
          derive()
        }
      }
      await newest()
    }),
    { numRuns: 8 },
  )
})
