import { requestOf } from '@prospect/adapter-contract/test-kit/request-of'
import { openAiCompatibleAdapter } from '../src/adapter.ts'
import { limits, prompt } from './prompt.ts'

/* Makes one call in a separate process, for settings that Node reads from the environment only at its start: node send-process.ts <base URL> */
const [baseUrl = ''] = process.argv.slice(2)
const transport = await openAiCompatibleAdapter({ baseUrl, model: 'llama-3', limits }).load()
const result = await requestOf({ transport, query: prompt, settings: {} })
console.log(result.outcome)
