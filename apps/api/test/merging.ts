import { newId } from '../src/lib/ids.ts'
import type { Suggestion, SuggestionSummary } from '../src/rooms/matching/matching.schema.ts'
import type { Merge } from '../src/rooms/matching/merging/merges.schema.ts'
import { followChanges } from '../src/rooms/matching/suggestions/matching-follower.ts'
import type { Answer, TestApp, TestClient } from './build-app.ts'
import { createProspect, type Refusal } from './prospects.ts'

type Body = Record<string, unknown>

/** Creates two records with the same email address and the same name, and their match suggestion. */
export async function suggestedPair(
  t: Pick<TestApp, 'store'>,
  client: TestClient,
  name: string,
  [a = {}, b = {}]: readonly Body[] = [],
): Promise<{ a: string; b: string; suggestion: Suggestion }> {
  const emails = [{ value: `desk@${name.toLowerCase().replace(/\W+/g, '')}.co.za` }]
  const first = await createProspect(client, { name, emails, ...a })
  const second = await createProspect(client, { name, emails, ...b })
  await followChanges(t.store)
  return { a: first.id, b: second.id, suggestion: await suggestionOfPair(client, first.id, second.id) }
}

export async function suggestionOfPair(client: TestClient, a: string, b: string): Promise<Suggestion> {
  const { body } = await client.get<{ items: SuggestionSummary[] }>(`/match-suggestions?businessId=${a}&limit=200`)
  const found = body.items.find(({ businesses }) => businesses.some(({ id }) => id === b))
  if (found === undefined) throw new Error('The pair is not suggested.')
  return (await client.get<Suggestion>(`/match-suggestions/${found.id}`)).body
}

export function askMerge(
  client: TestClient,
  { id, fingerprint }: Pick<Suggestion, 'id' | 'fingerprint'>,
  survivorId: string,
  body: Body = {},
  headers: Record<string, string> = { 'idempotency-key': newId() },
): Promise<Answer<Merge & Refusal>> {
  const asked = { survivorId, fingerprint, reason: 'The same shop.', ...body }
  return client.post(`/match-suggestions/${id}/merge`, asked, headers)
}

export async function merged(answer: Promise<Answer<Merge & Refusal>>): Promise<Merge> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`A merge got ${status}: ${JSON.stringify(body)}`)
  return body
}

export function askReversal(
  client: TestClient,
  id: string,
  headers: Record<string, string> = { 'idempotency-key': newId() },
  reason = 'Two shops after all.',
) {
  return client.post<Merge & Refusal>(`/merges/${id}/reversal`, { reason }, headers)
}
