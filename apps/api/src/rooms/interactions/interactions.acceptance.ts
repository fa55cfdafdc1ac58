import { expectStatus, expectThat, find } from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
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
    ],
  },
]
