/**
 * Configures the generated client for this app. Call the functions of `@prospect/api-client` through `dataOf`, or its query options
 * (`@prospect/api-client/query`) through the hooks of TanStack Query; nothing else reaches the API.
 */
import { client } from '@prospect/api-client'
import { problemOf, unreachable } from './api-problem.ts'
import { gatedFetch } from './gated-fetch.ts'

/** `baseUrl`: for a test outside of a browser. */
export function configureApiClient(baseUrl?: string): void {
  client.setConfig({
    ...(baseUrl !== undefined && { baseUrl }),
    fetch: gatedFetch(),
    headers: { accept: 'application/json' },
    throwOnError: true,
  })
  client.interceptors.error.clear()
  client.interceptors.error.use((error, response) => {
    // Aborted, or already a problem: no response came.
    if (response === undefined) return error
    return response.ok ? unreachable() : problemOf(error, response)
  })
}

/** Options of a change of a version: `editUser({ path, body, ...ifMatch(user.version) })`. 412 once somebody else has changed the record. */
export const ifMatch = (version: number) => ({ headers: { 'if-match': `"${version}"` } })

/** Options of a request that is done once however often it is sent: `addNote({ path, body, ...withKey(key) })`. */
export const withKey = (idempotencyKey: string) => ({ headers: { 'idempotency-key': idempotencyKey } })
