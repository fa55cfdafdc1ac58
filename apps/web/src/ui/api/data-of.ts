/** Data type of a call that succeeded: the member of the union whose `error` is undefined. */
type DataOf<Result> = Result extends { error: undefined; data: infer Data } ? Data : never

/**
 * Returns the data of one call of the generated client: `await dataOf(addNote({ path, body }))`. Rejects with an ApiProblem, or with the reason of an
 * abort.
 */
export async function dataOf<Result extends { data: unknown; error: unknown }>(
  call: Promise<Result>,
): Promise<DataOf<Result>> {
  // The client throws on errors (`throwOnError` in client.ts), so a resolved call has succeeded.
  const { data } = await call
  return data as DataOf<Result>
}
