import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { addEvidence, connect, createBusiness } from '@prospect/api-client'

/*
 * A contact form of a company's site. The visitor's browser sends it to this server, which creates a prospect and says where it is from. The token stays
 * on the server: a page in a browser must never contain one.
 *
 *   PORT=3000 node form-server.ts
 *
 * The token needs the permissions "See prospects", "Create and edit prospects" and "Add evidence".
 */

const MAX_BYTES = 10_000
const MAX_LENGTH = 200
const SOURCE = 'Contact form of our site'

connect({ baseUrl: process.env.PROSPECT_URL ?? 'http://localhost:8080', token: process.env.PROSPECT_TOKEN })

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    show(response, 500, 'This did not work. Send it again later.')
  })
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('The form is served.'))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Each copy of the form has its own key, so that a double click or a reload creates one prospect.
  if (request.method === 'GET') return show(response, 200, formWith(randomUUID()))
  const fields = new URLSearchParams(await bodyOf(request))
  const field = (name: string) => (fields.get(name) ?? '').trim().slice(0, MAX_LENGTH)
  const [key, name, email] = [field('key'), field('name'), field('email')]
  if (!/^[0-9a-f-]{36}$/.test(key) || name === '') return show(response, 400, 'Enter the name of your company.')
  const emails = email === '' ? [] : [{ value: email }]
  const made = await createBusiness({ body: { name, emails }, headers: { 'idempotency-key': key } })
  if (made.error !== undefined) {
    // A fault of this server, such as a revoked token, is none of the visitor's business.
    if (![400, 422].includes(made.response?.status ?? 0)) throw new Error(made.error.detail)
    return show(response, made.response?.status ?? 500, made.error.errors?.[0]?.message ?? made.error.detail)
  }
  const { error } = await addEvidence({
    path: { businessId: made.data.id },
    headers: { 'idempotency-key': `${key} source` },
    body: {
      observation: 'The company sent this form.',
      sourceLabel: SOURCE,
      capturedAt: made.data.createdAt,
      confidence: 'medium',
    },
  })
  if (error !== undefined) throw new Error(error.detail)
  show(response, 201, 'Thank you. We will be in touch.')
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > MAX_BYTES) throw new Error('A form is longer than forms are.')
  }
  return text
}

function formWith(key: string): string {
  return `<form method="post"><input type="hidden" name="key" value="${key}">
    <label>Company <input name="name" required maxlength="${MAX_LENGTH}"></label>
    <label>Email <input name="email" type="email" maxlength="${MAX_LENGTH}"></label>
    <button>Send</button></form>`
}

/** Sends a page. `content` is one of the texts of this file, or a sentence of the service, in which a visitor's text could be. */
function show(response: ServerResponse, status: number, content: string): void {
  const isForm = content.startsWith('<form')
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><title>Contact</title>${isForm ? content : escaped(content)}`)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
