import { expectThat, find, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'

export const gates: readonly Gate[] = [
  {
    phase: 6,
    checks: [
      {
        name: 'a local number is read only with its country, its typed form is stored, and the rule version is reported',
        run: async (world) => {
          const id = await newProspect(world, {
            phones: [{ value: '021 555 0101', region: 'ZA' }, { value: '021 555 0102' }],
          })
          const { body } = await world.operator.get(`/businesses/${id}`)
          expectThat(find(body, 'phones.0.normalized') === '+27215550101', 'The number with its country was not read.')
          expectThat(find(body, 'phones.0.value') === '021 555 0101', 'The number is not stored as typed.')
          const isGuessed = find(body, 'phones.1.normalized') !== null
          expectThat(!isGuessed, 'A local number without its country was guessed.')
          textAt(body, 'phones.1.uncertainty')
          return `Read by rules ${textAt(body, 'normalizationVersion')}; without a country it stays uncertain, with the reason.`
        },
      },
    ],
  },
]
