import { cpus, loadavg, totalmem } from 'node:os'
import type { Answer } from '../../acceptance/acceptance-client.ts'
import type { World } from '../../acceptance/gates.ts'
import type { AcceptanceReport, Figures } from '../../rooms/health/health.ts'

/** Enough requests to show that the service can serve several people at once; bench/ measures its capacity. */
const smoke = { creates: 200, reads: 400, briefs: 200, draftChecks: 200, connections: 8 } as const

/** Creates, lists and reads over several connections at once. Fails on an error response; durations are not judged. */
export async function capacitySmoke(world: World): Promise<AcceptanceReport['capacity_smoke']> {
  const { operator } = world
  const paths: string[] = []
  const create = await load(smoke.creates, 201, async (index) => {
    const answer = await operator.post('/businesses', { name: `Acceptance load ${index}`, tags: ['acceptance-load'] })
    paths.push(answer.headers.get('location')?.replace('/api/v1', '') ?? '/businesses')
    return answer
  })
  const list = await load(smoke.reads, 200, () => operator.get('/businesses?state=new&limit=50'))
  const detail = await load(smoke.reads, 200, (index) => operator.get(paths[index % paths.length] ?? '/businesses'))
  const brief = await load(smoke.briefs, 200, (index) => operator.get(`${paths[index % paths.length]}/brief`))
  const draft_check = await load(smoke.draftChecks, 200, (index) =>
    operator.post('/draft-checks', draftAbout(paths[index % paths.length] ?? '')),
  )
  const loads = { create, list, detail, brief, draft_check }
  return {
    passed: Object.values(loads).every(({ failures }) => failures === 0),
    machine: {
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      processors: cpus().length,
      memory_mb: Math.round(totalmem() / 1_048_576),
      load_average: Number((loadavg()[0] ?? 0).toFixed(2)),
    },
    loads,
  }
}

/** A draft about the prospect of this path, which the service checks and does not store. */
function draftAbout(path: string) {
  return {
    businessId: path.replace('/businesses/', ''),
    title: 'Acceptance load',
    ...{ jurisdiction: 'za', channel: 'letter', purpose: 'introduction', language: 'en' },
    recipient: { kind: 'address', value: '1 Long Street' },
    text: 'Good day {{business.name|there}}.',
    citations: [],
    noCitationReason: 'It states no fact.',
    acknowledgements: [],
  }
}

type Load = Figures & { failures: number }

async function load(requests: number, status: number, ask: (index: number) => Promise<Answer>): Promise<Load> {
  const tookMs: number[] = []
  let failures = 0
  let next = 0
  const began = performance.now()
  const connection = async () => {
    for (let index = next++; index < requests; index = next++) {
      const asked = performance.now()
      const answered = await ask(index).catch(() => undefined)
      if (answered?.status === status) tookMs.push(performance.now() - asked)
      else failures += 1
    }
  }
  await Promise.all(Array.from({ length: smoke.connections }, connection))
  const seconds = (performance.now() - began) / 1_000
  const sorted = tookMs.sort((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2))
  return {
    requests,
    connections: smoke.connections,
    failures,
    per_second: Math.round(requests / seconds),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
  }
}
