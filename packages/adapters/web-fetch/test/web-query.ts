import { type WebQuery, webLimits } from '@prospect/adapter-contract/web-page'

export const webQuery: WebQuery = {
  businessId: '01930000-0000-7000-8000-000000000001',
  url: 'http://karoo.example/',
  earlierAddresses: [],
  limits: { totalMs: webLimits.totalMs, wireBytes: webLimits.wireBytes, decodedBytes: 2_000_000 },
}
