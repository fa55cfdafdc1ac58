import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import type { Refusal } from '../../../../test/prospects.ts'
import type { Review, ReviewOpening } from '../../review-decisions/reviews.schema.ts'

type Body = Record<string, unknown>

/** Opens a prospect for review and returns the response. */
export async function open(client: TestClient, businessId: string, body: Body = {}): Promise<ReviewOpening> {
  const { status, body: opening } = await client.post<ReviewOpening>(`/businesses/${businessId}/review-openings`, body)
  if (status !== 200) throw new Error(`An opening was answered ${status}: ${JSON.stringify(opening)}`)
  return opening
}

/** Reviews a prospect in its current state. */
export async function review(client: TestClient, businessId: string, body: Body) {
  const { fingerprint } = await open(client, businessId)
  return client.post<Review & Refusal>(`/businesses/${businessId}/reviews`, { fingerprint, ...body })
}

/** Reviews a prospect as a preparation of a test. Throws if this fails. */
export async function reviewed(client: TestClient, businessId: string, body: Body): Promise<Review> {
  const { status, body: made } = await review(client, businessId, body)
  if (status !== 201) throw new Error(`A review was answered ${status}: ${JSON.stringify(made)}`)
  return made
}

export const rejection = { decision: 'reject', reasonCode: 'closed' }

export async function reviewStateOf(client: TestClient, businessId: string) {
  return (await open(client, businessId)).reviewState
}

export async function reviewWorld(): Promise<{ t: TestApp; operator: TestClient; manager: TestClient }> {
  const t = await buildTestApp()
  return { t, operator: await t.as('operator'), manager: await t.as('manager') }
}

export function asQuery(conditions: readonly unknown[]): string {
  return `conditions=${encodeURIComponent(JSON.stringify(conditions))}`
}
