/** The data of a call that succeeded; `error` is then undefined. */
type DataOf<Result> = Result extends { error: undefined; data: infer Data } ? Data : never

/**
 * The data of one call of the generated client: `await dataOf(addNote({ path, body }))`. Rejects with ApiProblem, or with the abort reason.
 */
export async function dataOf<Result extends { data: unknown; error: unknown }>(
  call: Promise<Result>,
): Promise<DataOf<Result>> {
  // The client rejects by itself (`throwOnError` in client.ts): what resolves here succeeded.
  const { data } = await call
  return data as DataOf<Result>
}
