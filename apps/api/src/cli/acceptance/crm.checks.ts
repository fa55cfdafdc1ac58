import { randomUUID } from 'node:crypto'
import {
  type Client,
  expectRefusal,
  expectStatus,
  expectThat,
  find,
  listAt,
  numberAt,
  textAt,
} from './acceptance-client.ts'
import { erasure } from './erasure.checks.ts'
import type { Gate, World } from './gates.ts'
import { untilEnded, untilThere } from './patience.ts'
import { newProspect } from './records.checks.ts'

export const crm: Gate = {
  id: 'phase_12',
  title: 'CRM',
  phase: 12,
  checks: [
    {
      name: 'do not contact applies at once and survives moves and edits',
      run: async (world) => {
        const id = await newProspect(world)
        const blocked = await world.operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
        expectStatus(blocked, 200, 'a block')
        await world.operator.post(`/businesses/${id}/pipeline-transitions`, { to: 'contacted' })
        const { body } = await world.operator.get(`/businesses/${id}`)
        expectThat(find(body, 'doNotContact.reason') === 'They asked.', 'The block did not survive.')
        const list = await world.operator.get('/businesses?doNotContact=true')
        const marked = listAt(list.body, 'items').find((item) => find(item, 'id') === id)
        expectThat(find(marked, 'doNotContact') === true, 'The list does not mark the record.')
        return 'Marked on the record and in the list, before and after a move.'
      },
    },
    {
      name: 'an interaction is append-only and moves no state',
      run: async (world) => {
        const id = await newProspect(world)
        const happened = { occurredAt: '2026-01-01T08:00:00Z', channel: 'phone', outcome: 'connected' }
        expectStatus(await world.operator.post(`/businesses/${id}/interactions`, happened), 201, 'an interaction')
        const invented = { ...happened, outcome: 'delivered' }
        expectStatus(await world.operator.post(`/businesses/${id}/interactions`, invented), 400, 'an unknown outcome')
        const { body } = await world.operator.get(`/businesses/${id}`)
        expectThat(find(body, 'pipelineState') === 'new', 'The interaction moved the prospect.')
        const declared = Object.entries(find(world.openApi.body, 'paths') ?? {})
        const edits = declared.filter(
          ([path, operations]) =>
            path.includes('/interactions') && ['put', 'patch', 'delete'].some((method) => find(operations, method)),
        )
        expectThat(edits.length === 0, 'A route changes or deletes an interaction.')
        return 'It was stored; an outcome outside the vocabulary was refused; the state stayed new; no route edits it.'
      },
    },
    {
      name: 'a report states its interval, its time and the meaning of each figure',
      run: async (world) => {
        const asked = { from: '2026-01-01', to: '2026-01-31', timeZone: 'Africa/Johannesburg' }
        const key = { 'idempotency-key': randomUUID() }
        const made = expectStatus(await world.operator.post('/reports', asked, key), 201, 'a report')
        const { body } = await untilEnded(world.operator, `/reports/${textAt(made.body, 'id')}`)
        expectThat(find(body, 'status') === 'succeeded', `The report ended as ${String(find(body, 'status'))}.`)
        for (const path of ['asOf', 'startsAt', 'endsAt', 'timeZone', 'result.figuresHash']) textAt(body, path)
        const figures = listAt(body, 'result.figures')
        for (const figure of figures) textAt(figure, 'semantics')
        const again = expectStatus(await world.operator.post('/reports', asked, key), 201, 'the same report')
        expectThat(textAt(again.body, 'id') === textAt(made.body, 'id'), 'The same key created a second report.')
        const foreign = await world.neighbour.get(`/reports/${textAt(made.body, 'id')}`)
        expectRefusal(foreign, 404, 'not_found', 'the report for another tenant')
        return `${figures.length} figures, each with its definition, under one hash; created once for two requests.`
      },
    },
    { name: 'a suppressed address marks every record that has it, earlier and later ones', run: suppress },
    {
      name: 'only an authorized removal with a reason ends a suppression, and its audit event is read back',
      run: liftSuppression,
    },
    {
      name: 'an export omits do-not-contact records, and checks again before the download',
      run: exportProspects,
    },
    erasure,
  ],
}

async function suppression(world: World): Promise<{ email: string; id: string; marked: number }> {
  const email = `${randomUUID()}@suppressed.example`
  await newProspect(world, { emails: [{ value: email }] })
  const entry = { kind: 'email', value: email.toUpperCase(), reason: 'They asked.', channel: 'phone' }
  const { body } = expectStatus(await world.operator.post('/suppressions', entry), 201, 'a suppression')
  return { email, id: textAt(body, 'suppression.id'), marked: numberAt(body, 'marked') }
}

async function suppress(world: World): Promise<string> {
  const { email, id, marked } = await suppression(world)
  expectThat(marked === 1, 'The earlier record is not marked.')
  const later = await newProspect(world, { emails: [{ value: `Somebody <${email}>` }, { value: email }] })
  const { body: seen } = await world.operator.get(`/businesses/${later}`)
  expectThat(find(seen, 'doNotContact') !== null, 'The later record is not marked.')
  await world.operator.post(`/businesses/${later}/pipeline-transitions`, { to: 'contacted' })
  const { body: moved } = await world.operator.get(`/businesses/${later}`)
  expectThat(find(moved, 'doNotContact') !== null, 'A move removed the mark.')
  const hidden = await world.viewer.get(`/businesses/${later}`)
  expectThat(!hidden.text.includes(email), 'A viewer can read the address of a do-not-contact record.')
  expectRefusal(await world.neighbour.get(`/suppressions/${id}`), 404, 'not_found', 'the entry for another tenant')
  const foreign = await world.neighbour.post('/businesses', { name: 'Acceptance', emails: [{ value: email }] })
  const { body: ofNeighbour } = await world.neighbour.get(`/businesses/${textAt(foreign.body, 'id')}`)
  expectThat(find(ofNeighbour, 'doNotContact') === null, 'The entry marks a record of another tenant.')
  return 'The earlier and a later record are marked, in another spelling and after a move; a viewer reads no address.'
}

async function liftSuppression(world: World): Promise<string> {
  const { email, id } = await suppression(world)
  const business = await newProspect(world, { emails: [{ value: email }] })
  const removal = `/suppressions/${id}/removal`
  const denied = await world.operator.post(removal, { reason: 'I want to.' })
  expectRefusal(denied, 403, 'permission_denied', 'a removal by an operator')
  expectStatus(await world.administrator.post(removal, {}), 400, 'a removal without a reason')
  const removed = await world.administrator.post(removal, { reason: 'They asked to be called again.' })
  const { body } = expectStatus(removed, 200, 'a removal')
  expectThat(find(body, 'event.action') === 'suppression.remove', 'The audit event was not read back.')
  const history = await world.operator.get(`/suppressions/${id}/history`)
  expectThat(listAt(history.body, 'items').length > 1, 'The history of the entry was lost.')
  const { body: freed } = await world.operator.get(`/businesses/${business}`)
  expectThat(find(freed, 'doNotContact') === null, 'The record is still marked.')
  return 'An operator and a removal without a reason were refused; the removal returned its audit event, and the entry keeps its history.'
}

async function exportProspects(world: World): Promise<string> {
  const { administrator, operator, neighbour } = world
  const tag = `export-${randomUUID()}`
  const [kept, blocked] = [`${randomUUID()}@kept.example`, `${randomUUID()}@blocked.example`]
  await newProspect(world, { name: '=SUM(1)', tags: [tag], emails: [{ value: kept }] })
  await newProspect(world, { tags: [tag], emails: [{ value: blocked }] })
  const block = (value: string) =>
    operator.post('/suppressions', { kind: 'email', value, reason: 'They asked.', channel: 'phone' })
  expectStatus(await block(blocked), 201, 'a suppression')
  const asked = { source: 'prospects', format: 'csv', filter: { tag } }
  expectRefusal(await world.viewer.post('/exports', asked), 403, 'permission_denied', 'an export by a viewer')
  const made = await administrator.post('/exports', asked, { 'idempotency-key': randomUUID() })
  const path = `/exports/${textAt(expectStatus(made, 201, 'an export').body, 'id')}`
  const { file } = await untilReady(administrator, path)
  expectThat(numberAt(file, 'rows') === 1 && numberAt(file, 'leftOut') === 1, 'The file lacks one of the two.')
  const content = expectStatus(await administrator.get(`${path}/content`), 200, 'its file').text
  expectThat(content.includes(kept) && !content.includes(blocked), 'The file contains a suppressed address.')
  expectThat(!/(^|,|")=SUM/m.test(content), 'A cell of the file is a formula.')
  expectRefusal(await neighbour.get(path), 404, 'not_found', 'the export for another tenant')
  expectRefusal(await neighbour.get(`${path}/content`), 404, 'not_found', 'its file for another tenant')
  expectStatus(await block(kept), 201, 'a suppression after the export')
  const later = await administrator.get(`${path}/content`)
  expectThat(
    later.status >= 400 && later.status < 500 && !later.text.includes(kept),
    'The file can still be downloaded.',
  )
  return 'One of two prospects is in the file, without a formula; after its suppression the file was refused.'
}

async function untilReady(client: Client, path: string): Promise<{ file: unknown }> {
  const status = await untilThere(async () => {
    const found = find((await client.get(path)).body, 'status')
    return found === 'queued' || found === 'running' ? undefined : found
  })
  expectThat(status === 'ready', `The export ended as ${String(status)}.`)
  return { file: find((await client.get(path)).body, 'file') }
}
