import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'

/*
 * A scripted server of the OpenAI-compatible protocol on loopback, for tests of a whole app with the provider adapter. It answers with one
 * claim for each item of evidence, which quotes the value or text of the item.
 */

const HOST = '127.0.0.1'

type Request = { messages: { content: string }[] }
type Evidence = { evidence: { item: string; value?: string; text?: string }[] }

export type ModelServer = {
  /** value of ADAPTERS_FILE that configures the adapter for this server */
  adaptersFile: string
  calls(): number
  stop(): Promise<void>
}

export async function startModelServer(): Promise<ModelServer> {
  let calls = 0
  const server = createServer(async (request, response) => {
    calls += 1
    const body = completionFor((await json(request)) as Request)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  const folder = mkdtempSync(join(tmpdir(), 'prospect-model-'))
  const adaptersFile = join(folder, 'adapters.mjs')
  const config = {
    baseUrl: `http://${HOST}:${address.port}/v1`,
    model: 'scripted',
    limits: {
      ...{ callsPerMinute: 60, callsPerDay: 500, tokensPerDay: 5_000_000 },
      ...{ costPerDay: 10_000, costPerMonth: 100_000, concurrentCalls: 2 },
    },
  }
  const adapter = resolve('packages/adapters/openai-compatible/src/adapter.ts')
  writeFileSync(
    adaptersFile,
    `import { openAiCompatibleAdapter } from ${JSON.stringify(adapter)}
     export default [openAiCompatibleAdapter(${JSON.stringify(config)})]`,
  )
  return {
    adaptersFile,
    calls: () => calls,
    stop: async () => {
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true })
    },
  }
}

function completionFor({ messages }: Request) {
  const [instructions, input] = messages
  const receipt = /^Receipt: (\S+)/.exec(instructions?.content ?? '')?.[1] ?? ''
  const { evidence }: Evidence = JSON.parse(input?.content ?? '{"evidence":[]}')
  const claims = evidence.map(({ item, value, text }) => {
    const quote = value ?? text ?? ''
    return { text: `The evidence states: ${quote}`, citations: [{ item, quotes: [quote] }] }
  })
  const content = JSON.stringify({ receipt, claims })
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'scripted',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 400, completion_tokens: 60, total_tokens: 460 },
  }
}
