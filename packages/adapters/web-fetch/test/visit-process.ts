import { connect } from 'node:net'
import { requestOf } from '@prospect/adapter-contract/test-kit/request-of'
import { fetchPage, type Means } from '../src/fetch-page.ts'
import { webQuery } from './web-query.ts'

/*
 * Makes one visit in a separate process, for settings that Node reads from the environment only at its start: node visit-process.ts <DNS port> <HTTP
 * port>
 */
const [names, site] = process.argv.slice(2).map(Number) as [number, number]

const means: Means = {
  nameServers: [{ address: '127.0.0.1', port: names }],
  userAgent: 'ProspectPlatform/test',
  dial: (address) => ({ socket: connect({ host: '127.0.0.1', port: site }), peer: () => address }),
  ca: undefined,
}
const transport = { request: (input: Parameters<typeof fetchPage>[0]) => fetchPage(input, means) }
const result = await requestOf({ transport, query: webQuery, settings: {} })
console.log(result.outcome)
