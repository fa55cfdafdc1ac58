import { randomUUID } from 'node:crypto'
import { type Client, expectThat, find } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { everyRecord } from './fixtures.checks.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete']

type Operation = { method: string; path: string }

/** Checks every operation that the running service's OpenAPI document declares. */
export const interfaceGate: Gate = {
  id: 'interface',
  title: 'The declared interface',
  phase: null,
  checks: [
    everyRecord,
    {
      name: 'every declared route exists, and none breaks on a meaningless request',
      run: async (world) => {
        const operations = operationsOf(world)
        let client = await world.sweeper()
        const broken: string[] = []
        for (const operation of operations) {
          let status = await ask(client, operation)
          if (status === 401) {
            // An earlier request has ended the session.
            client = await world.sweeper()
            status = await ask(client, operation)
          }
          if (status >= 500) broken.push(`${operation.method} ${operation.path} ${status}`)
        }
        expectThat(broken.length === 0, `Some broke: ${broken.join(', ')}.`)
        return `${operations.length} operations were requested as an administrator, and none returned 500 or more.`
      },
    },
  ],
}

function operationsOf({ openApi }: World): Operation[] {
  return Object.entries(find(openApi.body, 'paths') ?? {}).flatMap(([path, declared]) =>
    methods
      .filter((method) => find(declared, method) !== undefined)
      .map((method) => ({ method: method.toUpperCase(), path: path.replace('/api/v1', '') })),
  )
}

async function ask(client: Client, { method, path }: Operation): Promise<number> {
  const headers = { 'idempotency-key': randomUUID(), 'if-match': '"1"' }
  const answer = await client.send(method, path.replaceAll(/\{\w+\}/g, randomUUID()), {
    body: {},
    headers,
    leavesStreams: true,
  })
  return answer.status
}
