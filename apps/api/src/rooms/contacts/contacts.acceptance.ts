import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { pageHead } from '../../acceptance/page-head.ts'
import { fixtureChecks } from './contacts-fixtures.acceptance.ts'

export const gates: readonly Gate[] = [
  {
    phase: 9,
    liveClaim: {
      shown: 'Extraction from supplied pages and fixtures, and decisions about candidates, were tried.',
      notShown: 'No page of the web was fetched, and no mail server was contacted.',
      toGoLive: 'To go live, approve and enable a web source, load its transport, and enable extraction.',
    },
    checks: [
      {
        name: 'while extraction is disabled, a request is deferred and says why, and enabling names each open item',
        run: sayWhyDisabled,
      },
      ...fixtureChecks,
    ],
  },
]

const BOUNDARY = 'page-of-the-acceptance'

/** Uses the other workspace, because no fixture enabled extraction there. */
async function sayWhyDisabled({ neighbour, viewer }: World): Promise<string> {
  const readiness = expectStatus(await neighbour.get('/extraction/readiness'), 200, 'the readiness').body
  expectThat(textAt(readiness, 'state') === 'disabled', 'Extraction is enabled before anybody enabled it.')
  const open = listAt(readiness, 'checklist').filter((item) => find(item, 'isOk') === false)
  expectThat(
    open.every((item) => textAt(item, 'resolvedBy') !== ''),
    'An open item names nobody who can resolve it.',
  )
  const host = `a${randomUUID()}.co.za`
  const prospect = { name: `Acceptance ${randomUUID()}`, domains: [{ value: host }] }
  const created = expectStatus(await neighbour.post('/businesses', prospect), 201, 'creating a prospect')
  const businessId = textAt(created.body, 'id')
  const supplied = await neighbour.send('POST', `/businesses/${businessId}/supplied-pages`, {
    text: formOf(host),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'idempotency-key': randomUUID() },
  })
  const scanId = textAt(expectStatus(supplied, 201, 'supplying a page').body, 'id')
  const request = { businessId, scanIds: [scanId] }
  const asked = await neighbour.post('/extractions', request, { 'idempotency-key': randomUUID() })
  const { body } = expectStatus(asked, 201, 'an extraction')
  const [state, reason] = [textAt(body, 'state'), textAt(body, 'reasons.0')]
  expectThat(state === 'deferred' && reason === 'disabled', `The extraction is ${state}: ${reason}.`)
  expectRefusal(await viewer.get(`/extractions/${textAt(body, 'id')}`), 404, 'not_found', 'it in another workspace')
  expectRefusal(await viewer.get('/contact-candidates'), 403, 'permission_denied', 'candidates for a viewer')
  return `The extraction was deferred because it is disabled; ${open.length} items of the checklist are open, each with who can resolve it.`
}

function formOf(host: string): string {
  const fields = [
    `Content-Disposition: form-data; name="page"; filename="page.html"\r\nContent-Type: text/html\r\n\r\n<!doctype html>${pageHead}<title>Contact us</title><p>Write to us.</p>`,
    `Content-Disposition: form-data; name="url"\r\n\r\nhttps://${host}/contact`,
    'Content-Disposition: form-data; name="capturedAt"\r\n\r\n2026-01-01T08:00:00Z',
    'Content-Disposition: form-data; name="role"\r\n\r\ncontact',
  ]
  return `${fields.map((field) => `--${BOUNDARY}\r\n${field}\r\n`).join('')}--${BOUNDARY}--\r\n`
}
