/**
 * Configures the generated client for this app. Call the functions of `@prospect/api-client` through `dataOf`, or use its query options
 * (`@prospect/api-client/query`) with the hooks of TanStack Query. No other code calls the API.
 */
import { client } from '@prospect/api-client'
import { problemOf, unreachable } from './api-problem.ts'
import { gatedFetch } from './gated-fetch.ts'

/** `baseUrl`: for tests outside a browser. */
export function configureApiClient(baseUrl?: string): void {
  client.setConfig({
    ...(baseUrl !== undefined && { baseUrl }),
    fetch: gatedFetch(),
    headers: { accept: 'application/json' },
    throwOnError: true,
  })
  client.interceptors.error.clear()
  client.interceptors.error.use((error, response) => {
    // Without a response the call was aborted, or the error is already an ApiProblem.
    if (response === undefined) return error
    return response.ok ? unreachable() : problemOf(error, response)
  })
}

/**
 * Options of a change to one version of a record: `editUser({ path, body, ...ifMatch(user.version) })`. Rejects with 412 if the record has changed.
 */
export const ifMatch = (version: number) => ({ headers: { 'if-match': `"${version}"` } })

/** Options of a request with an idempotency key, which the server executes only once: `addNote({ path, body, ...withKey(key) })`. */
export const withKey = (idempotencyKey: string) => ({ headers: { 'idempotency-key': idempotencyKey } })
