import { randomUUID } from 'node:crypto'
import {
  expectRefusal,
  expectStatus,
  expectThat,
  listAt,
  numberAt,
  textAt,
} from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'

export const gates: readonly Gate[] = [
  {
    phase: 5,
    checks: [
      {
        name: 'a CSV file is previewed, and no record is stored',
        run: async (world) => {
          const count = async () => numberAt((await world.operator.get('/businesses?limit=1')).body, 'page.total.value')
          const before = await count()
          const answer = await world.operator.send('POST', '/csv-previews', {
            text: 'Name,Email\nAcceptance Brewery,info@brewery.example\nAcceptance Bakery,not an address\n',
            headers: { 'content-type': 'text/csv' },
          })
          expectStatus(answer, 201, 'a preview')
          expectThat(numberAt(answer.body, 'totals.rows') === 2, 'The preview does not read two rows.')
          expectThat((await count()) === before, 'The preview stored a record.')
          const problems = numberAt(answer.body, 'totals.rowsWithProblems')
          return `Two rows were read, ${problems} with a problem; the number of prospects stayed the same.`
        },
      },
      {
        name: 'a preview reports known records, do-not-contact rows, and the place where a file breaks',
        run: async (world) => {
          const [held, blocked] = [`${randomUUID()}@held.example`, `${randomUUID()}@blocked.example`]
          await newProspect(world, { emails: [{ value: held }] })
          const entry = { kind: 'email', value: blocked, reason: 'They asked.', channel: 'phone' }
          expectStatus(await world.operator.post('/suppressions', entry), 201, 'a suppression')
          const preview = (text: string) =>
            world.operator.send('POST', '/csv-previews', { text, headers: { 'content-type': 'text/csv' } })
          const { body } = expectStatus(await preview(`Name,Email\nA,${held}\nB,${blocked}\nC,\n`), 201, 'a preview')
          expectThat(numberAt(body, 'totals.matchingRows') === 1, 'The row of a known record is not reported.')
          expectThat(numberAt(body, 'totals.doNotContactRows') === 1, 'The suppressed row is not marked.')
          const rows = expectStatus(
            await world.operator.get(`/csv-previews/${textAt(body, 'id')}/rows`),
            200,
            'its rows',
          )
          expectThat(listAt(rows.body, 'items').length > 0, 'The rows cannot be paged through.')
          const foreign = await world.neighbour.get(`/csv-previews/${textAt(body, 'id')}`)
          expectRefusal(foreign, 404, 'not_found', 'the preview for another tenant')
          const broken = await preview('Name,Email\n"A,a@b.example\n')
          expectThat(numberAt(broken.body, 'malformed.0.line') === 2, 'The line of an open quote is not named.')
          const code = textAt(broken.body, 'malformed.0.code')
          return `One row is known, one is do not contact; a broken line was reported as ${code}; another tenant gets 404.`
        },
      },
    ],
  },
]
