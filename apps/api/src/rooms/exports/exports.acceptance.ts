import { randomUUID } from 'node:crypto'
import {
  type Client,
  expectRefusal,
  expectStatus,
  expectThat,
  find,
  numberAt,
  textAt,
} from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { untilThere } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
      {
        name: 'an export omits do-not-contact records, and checks again before the download',
        run: exportProspects,
      },
    ],
  },
]

async function exportProspects(world: World): Promise<string> {
  const { administrator, operator, neighbour } = world
  const tag = `export-${randomUUID()}`
  const [kept, blocked] = [`${randomUUID()}@kept.example`, `${randomUUID()}@blocked.example`]
  await newProspect(world, { name: '=SUM(1)', tags: [tag], emails: [{ value: kept }] })
  await newProspect(world, { tags: [tag], emails: [{ value: blocked }] })
  const block = (value: string) =>
    operator.post('/suppressions', { kind: 'email', value, reason: 'They asked.', channel: 'phone' })
  expectStatus(await block(blocked), 201, 'a suppression')
  const asked = { source: 'prospects', format: 'csv', filter: [{ field: 'tag', op: 'any_of', values: [tag] }] }
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
