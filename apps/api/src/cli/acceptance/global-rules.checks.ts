import { expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate } from '../../acceptance/gates.ts'

/** Words in routes that would contact people; no route may contain one. The date of a person's own follow-up contacts nobody. */
const outreachWords = /send|deliver|campaign|follow-?up(?!$)|smtp|vrfy|outreach|mailing|unsubscribe/i

/** Checks that no room contacts anybody. */
export const globalRules: Gate = {
  phase: null,
  id: 'global_rules',
  title: 'Nobody is contacted',
  checks: [
    {
      name: 'no route sends, delivers or follows up',
      run: async (world) => {
        const paths = Object.keys(find(world.openApi.body, 'paths') ?? {}).map((path) => path.replace('/api/v1', ''))
        const found = paths.filter((path) => outreachWords.test(path))
        expectThat(found.length === 0, `Outreach routes exist: ${found.join(', ')}.`)
        return `None of ${paths.length} paths of the API does.`
      },
    },
    {
      name: 'the start is refused with automated outreach enabled',
      run: async (world) => {
        const { exitCode, stderr } = await world.cli(['user', 'count'], { AUTOMATED_OUTREACH_ENABLED: 'true' })
        expectThat(exitCode !== 0, 'A command ran with AUTOMATED_OUTREACH_ENABLED=true.')
        expectThat(stderr.includes('AUTOMATED_OUTREACH_ENABLED'), 'The refusal does not name the setting.')
        return 'A process with AUTOMATED_OUTREACH_ENABLED=true ended with a sentence.'
      },
    },
    {
      name: 'assistance by a provider is disabled',
      run: async (world) => {
        const { body } = expectStatus(await world.viewer.get('/capabilities'), 200, 'the capabilities')
        const phase13 = listAt(body, 'items').find((item) => find(item, 'phase') === 13)
        expectThat(textAt(phase13, 'status') === 'disabled', 'Phase 13 is not reported as disabled.')
        return 'Phase 13 is reported as disabled: no provider is configured.'
      },
    },
  ],
}
