import { client } from './generated/client.gen.ts'

/** Longest wait for a further attempt after 429, and the number of attempts of a request. */
const MAX_WAIT_SECONDS = 120
const ATTEMPTS = 5

export type Connection = {
  /** address of the service, such as `https://prospects.example.com` */
  baseUrl: string
  /** an access token, `pp_…`; undefined is refused, so that a missing setting is noticed at once */
  token: string | undefined
}

/**
 * Lets the functions of this package call a service as the member to whom an access token belongs, without a sign-in. A request that the service refuses
 * because of its rate (429) is sent again after the time that the response names, at most five times.
 */
export function connect({ baseUrl, token }: Connection): void {
  if (token === undefined || !token.startsWith('pp_')) throw new Error('Set an access token. It begins with pp_.')
  client.setConfig({ baseUrl, headers: { Authorization: `Bearer ${token}` }, fetch: patientFetch })
}

async function patientFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(request.clone())
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status !== 429 || attempt === ATTEMPTS || !(seconds <= MAX_WAIT_SECONDS)) return response
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  }
}
