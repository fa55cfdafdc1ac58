import { daysAfter } from '../src/lib/clock.ts'
import { newId } from '../src/lib/ids.ts'
import { formWith } from '../src/rooms/scanning/test/page-forms.ts'
import { type ApiSession, signInColleague } from './api-process.ts'

const LOOK_EVERY_MS = 2
const reason = 'It is on their own page.'
const key = () => ({ 'idempotency-key': newId() })

/** Creates a prospect with the approved site karoo.co.za in a running API, enables extraction, and returns the steps of an extraction. */
export async function extractionSteps(port: number, session: ApiSession) {
  const validUntil = daysAfter(Date.now(), 90)
  const made = async (path: string, body: unknown, by = session) => {
    const answer = await by.post(path, body, key())
    if (answer.status > 202) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const business = await made('/businesses', { name: 'Karoo Fencing', domains: [{ value: 'karoo.co.za' }] })
  const site = await made(`/businesses/${business.id}/official-sites`, { host: 'karoo.co.za' })
  const decision = { decision: 'approve', reason, fingerprint: site.fingerprint, validUntil }
  // The proposer cannot approve the site.
  await made(`/official-sites/${site.id}/decision`, decision, await signInColleague(port, session))
  await made('/extraction/enablement', { enabled: true, reason, validUntil })

  const supply = async (html: string): Promise<unknown> => {
    const { body, contentType } = formWith(`<!doctype html><title>Contact us</title>${html}`)
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/businesses/${business.id}/supplied-pages`, {
      method: 'POST',
      headers: { ...session.headers, ...key(), 'content-type': contentType },
      body: new Uint8Array(body),
    })
    if (answer.status !== 201) throw new Error(await answer.text())
    return ((await answer.json()) as { id: string }).id
  }
  /** Supplies a page and requests its extraction. */
  const request = async (html: string) =>
    made('/extractions', { businessId: business.id, scanIds: [await supply(html)] })
  const ended = async (id: unknown): Promise<Record<string, unknown>> => {
    for (;;) {
      const { body } = await session.get(`/extractions/${id}`)
      if (body.endedAt !== null) return body
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }
  const extract = async (html: string) => ended((await request(html)).id)
  const candidates = async () => (await session.get('/contact-candidates')).body.items as Record<string, unknown>[]
  return { request, ended, extract, candidates }
}
