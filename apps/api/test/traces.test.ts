import { expect, test } from 'vitest'
import { buildTestApp } from './build-app.ts'
import { connected } from './raw-connection.ts'

/* A request with a valid traceparent is found by its trace id: in the log, in the problem response and in the audit. */

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
const ofTrace = new RegExp(`^${TRACE}-[0-9a-f]{16}$`)

type Event = { action: string; correlationId: string }

test('the trace id is in the log line and in the audit of a change, and two requests of a trace have different ids', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const create = () => operator.post<{ id: string }>('/businesses', { name: 'Karoo Windpumps' }, { traceparent })
  const [first, second] = [await create(), await create()]
  const ids = [first, second].map(({ headers }) => String(headers['x-request-id']))
  for (const id of ids) expect(id).toMatch(ofTrace)
  expect(ids[0]).not.toBe(ids[1])

  const { body } = await (await t.as('manager')).get<{ items: Event[] }>(`/audit-events?subjectId=${first.body.id}`)
  expect(body.items).toContainEqual(expect.objectContaining({ action: 'business.create', correlationId: ids[0] }))

  const lines = t.logged().trim().split('\n')
  const told = lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === ids[0])
  expect(told).toMatchObject([{ traceId: TRACE, method: 'POST', status: 201, msg: 'answered' }])
})

test('a problem names the request within its trace', async () => {
  const t = await buildTestApp()
  const { body } = await t.visitor().get<{ requestId: string }>('/businesses', { traceparent })
  expect(body.requestId).toMatch(ofTrace)
})

test.each([
  ['a missing header', undefined],
  ['a wrong header', `00-${TRACE}-0000000000000000-01`],
])('%s starts no trace', async (_what, wrong) => {
  const t = await buildTestApp()
  const { headers } = await t.visitor().get('/health/live', wrong === undefined ? {} : { traceparent: wrong })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect(headers).not.toHaveProperty('traceparent')
  expect(t.logged()).not.toContain('traceId')
  expect(t.logged()).not.toContain(TRACE)
})

test('spaces around the value are ignored, and a repeated header is', async () => {
  const t = await buildTestApp()
  const idWith = async (...lines: string[]) => {
    const socket = await connected(t.app)
    const head = ['GET /api/v1/health/live HTTP/1.1', 'Host: localhost', ...lines, 'Connection: close', '', '']
    socket.write(head.join('\r\n'))
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return /^x-request-id: (.*)\r$/m.exec(text)?.[1]
  }
  expect(await idWith(`TRACEPARENT: \t ${traceparent} \t`)).toMatch(ofTrace)
  expect(await idWith(`traceparent: ${traceparent}`, `traceparent: ${traceparent}`)).not.toContain(TRACE)
})
