import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { addEvidenceTo, createProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import type { Candidate, CandidateSummary } from '../candidates/candidates.schema.ts'
import { followDomains } from '../candidates/domain-follower.ts'

type Body = Record<string, unknown>

export type DomainsWorld = {
  t: TestApp
  manager: TestClient
  operator: TestClient
  viewer: TestClient
  /** derives uses and candidates of changed records, as the background loop does */
  follow(): Promise<void>
  prospect(name: string, facts?: { domains?: string[]; emails?: string[] }): Promise<string>
  claim(businessId: string, value: string, changes?: Body): Promise<string>
  open(query?: string): Promise<CandidateSummary[]>
  candidate(id: string): Promise<Candidate>
  /** returns the only open candidate */
  only(): Promise<Candidate>
  decide(candidate: Pick<Candidate, 'id' | 'fingerprint'>, changes?: Body, client?: TestClient): Promise<Decided>
}

type Decided = Awaited<ReturnType<TestClient['post']>> & { body: { candidate: Candidate } & Refusal }

export async function domainsWorld(): Promise<DomainsWorld> {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const operator = await t.as('operator')
  const open = (query = '') => walk<CandidateSummary>(operator, `/domain-candidates${query}`, 50)
  const candidate = async (id: string) => (await operator.get<Candidate>(`/domain-candidates/${id}`)).body
  return {
    t,
    manager,
    operator,
    viewer: await t.as('viewer'),
    follow: () => followDomains(t.store),
    prospect: async (name, { domains = [], emails = [] } = {}) => {
      const valued = (values: string[]) => values.map((value) => ({ value }))
      return (await createProspect(operator, { name, domains: valued(domains), emails: valued(emails) })).id
    },
    claim: async (businessId, value, changes = {}) =>
      (await addEvidenceTo(operator, businessId, { observation: null, field: 'domain', value, ...changes })).id,
    open: (query) => open(query),
    candidate,
    only: async () => {
      const [first, second] = await open()
      if (first === undefined || second !== undefined) throw new Error('There is not one open candidate.')
      return candidate(first.id)
    },
    decide: ({ id, fingerprint }, changes = {}, client = manager) =>
      client.post(`/domain-candidates/${id}/decision`, {
        decision: 'accept',
        reason: 'They confirmed it.',
        fingerprint,
        ...changes,
      }) as Promise<Decided>,
  }
}
