import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'
import { untilEnded } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
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
    ],
  },
]
