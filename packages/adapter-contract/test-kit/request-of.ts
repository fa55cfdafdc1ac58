import type { RequestInput, Transport, TransportResult } from '../src/adapter.ts'

type Call<Query, Settings, Answer, Trace> = Pick<RequestInput<Query, Settings>, 'query' | 'settings'> &
  Partial<RequestInput<Query, Settings>> & { transport: Transport<Query, Settings, Answer, Trace> }

/** Calls a transport with the inputs that the API passes; `now` returns a fixed time. Can be called in any process. */
export function requestOf<Query, Settings, Answer, Trace>({
  transport,
  ...part
}: Call<Query, Settings, Answer, Trace>): Promise<TransportResult<Query, Answer, Trace>> {
  return transport.request({
    signal: new AbortController().signal,
    timeoutMs: 15_000,
    maxBytes: 10_485_760,
    attempt: 1,
    now: () => new Date('2026-11-02T08:00:00.000Z'),
    ...part,
  })
}
